import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { DatabaseUnusable } from './database-unusable.ts'
import type { OpenDatabase } from './open-database.ts'

type Migration = { name: string; text: string; fingerprint: string }
type Migrator = Pick<OpenDatabase, 'runScript' | 'runNamed'>

const folder = new URL('../migrations/', import.meta.url)

/** Any number; one that all instances agree on, so that only one of them migrates at a time. */
const MIGRATION_LOCK = 7_263_851

/**
 * Runs the migrations that this database has not had, each in one transaction, in the order of
 * their numbers. Safe to run from many instances at once. Throws {@link DatabaseUnusable} where a
 * migration that was run differs from its file, or the database is newer than this program.
 */
export async function migrate(open: Migrator): Promise<void> {
  await open.runScript(`
    select pg_advisory_xact_lock(${MIGRATION_LOCK});
    create table if not exists migrations (
      name text primary key,
      fingerprint text not null,
      run_at timestamptz not null default now()
    )`)
  const migrations = await readMigrations()
  const run = await listRun(open)
  refuseDifferent(migrations, run)
  for (const migration of migrations) {
    if (!run.has(migration.name)) await runOnce(open, migration)
  }
}

/** The check is made again under the lock: another instance may have been quicker. */
async function runOnce(open: Migrator, { name, text, fingerprint }: Migration): Promise<void> {
  const quoted = `$migration_text$${text}$migration_text$`
  await open.runScript(`
    select pg_advisory_xact_lock(${MIGRATION_LOCK});
    do $migration$ begin
      if not exists (select from migrations where name = '${name}') then
        execute ${quoted};
        insert into migrations (name, fingerprint) values ('${name}', '${fingerprint}');
      end if;
    end $migration$`)
}

async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return await Promise.all(
    names.toSorted().map(async (name) => {
      const text = await readFile(new URL(`${name}/up.sql`, folder), 'utf8')
      return { name, text, fingerprint: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function listRun(open: Migrator): Promise<Map<string, string>> {
  const rows = await open.runNamed<{ name: string; fingerprint: string }>(
    'list_migrations',
    'select name, fingerprint from migrations',
    [],
  )
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]))
}

function refuseDifferent(migrations: readonly Migration[], run: ReadonlyMap<string, string>): void {
  const known = new Map(migrations.map(({ name, fingerprint }) => [name, fingerprint]))
  for (const [name, fingerprint] of run) {
    if (!known.has(name)) {
      throw new DatabaseUnusable(
        'The database was made by a newer version of this program (it has the migration ' +
          `${name}). Start that version, or choose another database`,
      )
    }
    if (known.get(name) !== fingerprint) {
      throw new DatabaseUnusable(
        `The migration ${name} differs from the one that made this database. Restore its ` +
          'file, or choose another database',
      )
    }
  }
}
