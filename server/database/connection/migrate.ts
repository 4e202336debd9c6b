import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { NamedStatements } from '#server/database/tables/tables.ts'
import { DatabaseUnusable } from './database-unusable.ts'

type Migration = { name: string; text: string; fingerprint: string }

/** Runs SQL text, without a query builder. */
export type SqlRunner = NamedStatements & {
  /** Runs several statements without parameters as one transaction, however long it takes. */
  runScript(text: string): Promise<void>
}

const ownFolder = new URL('../migrations/', import.meta.url)

/** Any number that is the same for all instances, so that only one of them migrates at a time. */
const MIGRATION_LOCK = 7_263_851

/**
 * Runs the migrations that this database has not had, each in one transaction, in the order of
 * their numbers. Safe to run from many instances at once. Throws {@link DatabaseUnusable} if an
 * applied migration differs from its file, if the database is newer than this program, or if its
 * user lacks a right.
 */
export async function migrate(open: SqlRunner, folder = ownFolder): Promise<void> {
  try {
    await runMissing(open, folder)
  } catch (fault) {
    throw await explainMissingRight(open, fault)
  }
  await requireRightsToTables(open)
}

async function runMissing(open: SqlRunner, folder: URL): Promise<void> {
  await open.runScript(`
    select pg_advisory_xact_lock(${MIGRATION_LOCK});
    create table if not exists migrations (
      name text primary key,
      fingerprint text not null,
      run_at timestamptz not null default now()
    )`)
  const migrations = await readMigrations(folder)
  const run = await listRun(open)
  refuseDifferent(migrations, run)
  for (const migration of migrations) {
    if (!run.has(migration.name)) await runOnce(open, migration)
  }
}

/** The check is made again under the lock: another instance may have been quicker. */
async function runOnce(open: SqlRunner, { name, text, fingerprint }: Migration): Promise<void> {
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

/** The names of all migrations that this version knows, in the order in which they run. */
export function listMigrations(folder = ownFolder): string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return names.toSorted()
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  return await Promise.all(
    listMigrations(folder).map(async (name) => {
      const text = await readFile(new URL(`${name}/up.sql`, folder), 'utf8')
      return { name, text, fingerprint: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function listRun(open: SqlRunner): Promise<Map<string, string>> {
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
    if (known.get(name) === fingerprint) continue
    throw new DatabaseUnusable(
      'The database was made by another version of this program ' +
        `(${known.has(name) ? 'with another' : 'it has the'} migration ${name}). Start that version, ` +
        'or choose another database, such as a restored backup of this version: for the embedded ' +
        'one, another DATA_DIR',
    )
  }
}

/** Insufficient privilege, and no schema in which anything could be created. */
const REFUSED_STATES = ['42501', '3F000']

const FIND_RIGHTS = `
  select
    quote_ident(current_user) as user_name,
    quote_ident(current_database()) as database_name,
    quote_ident(coalesce(current_schema(), 'public')) as schema_name,
    coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
    (
      select quote_ident(pg_get_userbyid(relowner)) from pg_class
      where oid = to_regclass('migrations')
    ) as owner_name`

type Rights = {
  user_name: string
  database_name: string
  schema_name: string
  may_create: boolean
  /** Who owns the tables; null if there are none. */
  owner_name: string | null
}

/**
 * An error that says what to do if the database's user lacks a right: since PostgreSQL 15 only the
 * owner of a database may create anything in it. Other errors are returned unchanged.
 */
async function explainMissingRight(open: SqlRunner, fault: unknown): Promise<unknown> {
  const isRefused =
    fault instanceof Error && 'code' in fault && REFUSED_STATES.includes(String(fault.code))
  if (!isRefused) return fault
  const [rights] = await open.runNamed<Rights>('find_rights', FIND_RIGHTS, [])
  if (rights === undefined) return fault
  const messageOf = rights.may_create ? ownerMessage : grantMessage
  return new DatabaseUnusable(messageOf(rights, fault.message), { cause: fault })
}

const FIND_SHUT_TABLE = `
  select
    quote_ident(current_user) as user_name,
    quote_ident(current_database()) as database_name,
    quote_ident(current_schema()) as schema_name,
    relname as table_name
  from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r'
    and not (
      has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
      and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')
    )
  order by relname limit 1`

type ShutTable = Pick<Rights, 'user_name' | 'database_name' | 'schema_name'> & {
  table_name: string
}

/** If all tables belong to another user, rights may have been granted to only some of them. */
async function requireRightsToTables(open: SqlRunner): Promise<void> {
  const [shut] = await open.runNamed<ShutTable>('find_shut_table', FIND_SHUT_TABLE, [])
  if (shut === undefined) return
  const { user_name, database_name, schema_name, table_name } = shut
  throw new DatabaseUnusable(
    `The user ${user_name} of DATABASE_URL may not read and write all tables of the database ` +
      `${database_name}, such as ${table_name}. Run this in that database as their owner or as a ` +
      'superuser, and start again: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ' +
      `${schema_name} TO ${user_name};`,
  )
}

function grantMessage({ user_name, database_name, schema_name }: Rights, fault: string): string {
  return (
    `The user ${user_name} of DATABASE_URL may not create tables in the database ` +
    `${database_name} (${fault}). Run this in that database as its owner or as a superuser, and ` +
    'start again: ' +
    `GRANT USAGE, CREATE ON SCHEMA ${schema_name} TO ${user_name}; Or make the user the owner: ` +
    `ALTER DATABASE ${database_name} OWNER TO ${user_name};`
  )
}

function ownerMessage({ user_name, database_name, owner_name }: Rights, fault: string): string {
  const owner = owner_name ?? 'postgres'
  return (
    `The user ${user_name} of DATABASE_URL may not change the tables of the database ` +
    `${database_name}, which belong to ${owner} (${fault}). Name ${owner} in DATABASE_URL, or run this in ` +
    `that database as a superuser, and start again: REASSIGN OWNED BY ${owner} TO ${user_name}; ` +
    `If ${owner} is the superuser, restore the backup as ${user_name} instead, with pg_restore ` +
    '--no-owner'
  )
}
