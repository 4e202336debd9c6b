import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '#server/config/config.ts'
import { projectRoot } from '#tools/project.ts'

/** Every variable that the configuration asks for. */
function listVariablesRead(): string[] {
  const read = new Set<string>()
  const environment = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get: (_, name) => {
        read.add(String(name))
        return undefined
      },
    },
  )
  parseConfig(environment)
  return [...read].toSorted()
}

test('the operating guide mentions every variable', () => {
  const guide = readFileSync(join(projectRoot, 'docs', 'operate.md'), 'utf8')

  expect(listVariablesRead().filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
})
