/**
 * Writes down the fingerprint of each new migration in tests/house/migrations.json. One that is
 * written down is never changed again: databases out there have run it.
 *
 *     npx node tools/record-migrations.ts
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { projectRoot } from './project.ts'

const folder = join(projectRoot, 'server', 'database', 'migrations')
const record = join(projectRoot, 'tests', 'house', 'migrations.json')

/** The SHA-256 of each migration's SQL, by the name of its folder. */
export type Fingerprints = Record<string, string>

export function fingerprintMigrations(): Fingerprints {
  const names = readdirSync(folder).toSorted()
  return Object.fromEntries(
    names.map((name) => {
      const sql = readFileSync(join(folder, name, 'up.sql'))
      return [name, createHash('sha256').update(sql).digest('hex')]
    }),
  )
}

export function readRecordedMigrations(): Fingerprints {
  return JSON.parse(readFileSync(record, 'utf8')) as Fingerprints
}

if (import.meta.main) {
  const recorded = readRecordedMigrations()
  const fingerprints = { ...fingerprintMigrations(), ...recorded }
  const added = Object.keys(fingerprints).filter((name) => !(name in recorded))
  writeFileSync(record, `${JSON.stringify(fingerprints, null, 2)}\n`)
  console.log(added.length > 0 ? `Recorded: ${added.join(', ')}` : 'There is no new migration.')
}
