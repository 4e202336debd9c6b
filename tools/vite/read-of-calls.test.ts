import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#tools/project.ts'
import { READ_OF_CALLS, withoutUnread } from './read-of-calls.ts'

test('a call keeps what the page reads of it, and nothing else', () => {
  const code = `export const calls = {
  rename: endpoint({
    method: 'PATCH',
    path: '/users/{id}',
    summary: 'Changes a name; a “,” or a } in it ends nothing.',
    /** Only the caller’s own. */
    params: z.strictObject({ id: z.string() }),
    body: z.strictObject({ name: z.string(), result: z.string() }),
    result: User,
    errors: ['Busy'],
  }),
}
`

  expect(withoutUnread(code).replaceAll(/\s+/g, ' ')).toBe(
    "export const calls = { rename: endpoint({ method: 'PATCH', path: '/users/{id}', result: User, }), } ",
  )
})

test('what stands outside of a call stays as it is', () => {
  const code = "const body = { summary: 'Here' }\nother({ errors: [] })\n"

  expect(withoutUnread(code)).toBe(code)
})

test('the page reads nothing else of a call', () => {
  const folder = join(projectRoot, 'web')
  const read = globSync('**/*.{ts,tsx}', { cwd: folder }).flatMap((path) => {
    const text = readFileSync(join(folder, path), 'utf8')
    const uses = text.matchAll(/(?:\b\w+Contract\.\w+|(?<![\w/])endpoint)\.(\w+)/g)
    return [...uses].map(([, name = '']) => ({ path, name }))
  })

  expect(read.map(({ name }) => name)).toContain('result')
  expect(read.filter(({ name }) => !READ_OF_CALLS.includes(name))).toEqual([])
})
