import { expect, test } from 'vitest'

import { operatorCookie, readOperatorCookie } from './operator-cookie.ts'

const token = 'a-token-that-nobody-can-guess-0123456789abc'
const session = { token, expiresAt: new Date('2027-01-10T12:00:00Z') }

test('over https the cookie has a name that browsers take over https alone, and no other counts', () => {
  const settings = { publicUrl: 'https://presale.example' }
  const [cookie = '', ...attributes] = operatorCookie(settings, session).split('; ')
  expect(cookie).toBe(`__Secure-operator-session=${token}`)
  expect(attributes).toContain('Secure')
  expect(readOperatorCookie(settings, { cookie: `language=de; ${cookie}` })).toBe(token)
  expect(readOperatorCookie(settings, { cookie: `operator-session=${token}` })).toBeNull()
})

test('without https it is read by the name that it was given', () => {
  const settings = { publicUrl: 'http://localhost:3000' }
  const [cookie = ''] = operatorCookie(settings, session).split('; ')
  expect(cookie).toBe(`operator-session=${token}`)
  expect(readOperatorCookie(settings, { cookie })).toBe(token)
})

test('no script reads it, and no other site has it sent', () => {
  const [, ...attributes] = operatorCookie({ publicUrl: 'http://localhost:3000' }, session).split(
    '; ',
  )
  expect(attributes).toEqual([
    'Path=/api/v1/operator',
    'Expires=Sun, 10 Jan 2027 12:00:00 GMT',
    'HttpOnly',
    'SameSite=Strict',
  ])
})
