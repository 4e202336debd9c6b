import { afterAll, beforeAll, expect, test } from 'vitest'

import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let kit: TestApp
/** Of a sale that names no address. */
let bare: TestApp
beforeAll(async () => {
  kit = await startApp({ settings: { publicUrl: 'https://presale.example' } })
  bare = await startApp({
    changeSale: (sale) => ({ ...sale, project: { ...sale.project, contactEmail: null } }),
  })
})
afterAll(async () => {
  await bare.close()
  await kit.close()
})

const url = '/.well-known/security.txt'

/** The fields of the file, each with its value, as RFC 9116 writes them. */
function fieldsOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line !== '')
  return Object.fromEntries(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]))
}

test('security.txt says whom to tell of a weakness, and until when that holds', async () => {
  const reply = await kit.app.inject({ url })
  expect(reply.statusCode).toBe(200)
  expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8')
  const { Expires: expires = '', ...fields } = fieldsOf(reply.body)
  expect(fields).toEqual({
    Contact: 'mailto:privacy@huh.social',
    'Preferred-Languages': 'en, de',
    Canonical: `https://presale.example${url}`,
  })
  const days = (new Date(expires).getTime() - kit.clock.now().getTime()) / 86_400_000
  expect(days).toBeGreaterThan(178)
  expect(days).toBeLessThan(366)
})

test('security.txt leads to the project’s site where the sale names no address', async () => {
  const { body } = await bare.app.inject({ url })
  expect(fieldsOf(body)['Contact']).toBe('https://huh.social')
})
