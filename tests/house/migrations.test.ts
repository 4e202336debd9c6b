import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '#tools/project.ts'
import { fingerprintMigrations, readRecordedMigrations } from '#tools/record-migrations.ts'

const folder = join(projectRoot, 'server', 'database', 'migrations')
const names = readdirSync(folder).toSorted()
const recorded = readRecordedMigrations()

describe('migrations', () => {
  test('are numbered from 0001 without a gap', () => {
    const numbers = names.map((name) => /^(\d{4})-[a-z0-9-]+$/.exec(name)?.[1] ?? name)

    expect(numbers).toEqual(names.map((_, index) => String(index + 1).padStart(4, '0')))
  })

  test('are only ever added: what was recorded is there unchanged', () => {
    expect(fingerprintMigrations()).toMatchObject(recorded)
  })

  test('are all recorded (npx node tools/record-migrations.ts does it)', () => {
    expect(names.filter((name) => !(name in recorded))).toEqual([])
  })

  test.each(names)('%s has its SQL and notes that say why', (name) => {
    expect(readdirSync(join(folder, name)).toSorted()).toEqual(['notes.md', 'up.sql'])
    expect(readFileSync(join(folder, name, 'notes.md'), 'utf8').trim().length).toBeGreaterThan(80)
  })
})
