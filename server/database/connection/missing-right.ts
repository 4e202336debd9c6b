import { DatabaseUnusable } from './database-unusable.ts'
import type { OpenDatabase } from './open-database.ts'

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
  /** Whose tables are there; null where there are none. */
  owner_name: string | null
}

/**
 * What to do about a fault of the first statements where the database's user lacks a right: since
 * PostgreSQL 15 nobody but a database's owner may create anything in it. Other faults come back as
 * they are.
 */
export async function explainMissingRight(
  open: Pick<OpenDatabase, 'runNamed'>,
  fault: unknown,
): Promise<unknown> {
  const isRefused =
    fault instanceof Error && 'code' in fault && REFUSED_STATES.includes(String(fault.code))
  if (!isRefused) return fault
  const [rights] = await open.runNamed<Rights>('find_rights', FIND_RIGHTS, [])
  if (rights === undefined) return fault
  const say = rights.may_create ? sayOwner : sayGrant
  return new DatabaseUnusable(say(rights, fault.message), { cause: fault })
}

function sayGrant({ user_name, database_name, schema_name }: Rights, fault: string): string {
  return (
    `The user ${user_name} of DATABASE_URL may not create tables in the database ` +
    `${database_name} (${fault}). Run this in that database as its owner or as a superuser, and ` +
    'start again: ' +
    `GRANT USAGE, CREATE ON SCHEMA ${schema_name} TO ${user_name}; Or make the user the owner: ` +
    `ALTER DATABASE ${database_name} OWNER TO ${user_name};`
  )
}

function sayOwner({ user_name, database_name, owner_name }: Rights, fault: string): string {
  const owner = owner_name ?? 'postgres'
  return (
    `The user ${user_name} of DATABASE_URL may not change the tables of the database ` +
    `${database_name}, which belong to ${owner} (${fault}). Name ${owner} in DATABASE_URL, or run this in ` +
    `that database as a superuser, and start again: REASSIGN OWNED BY ${owner} TO ${user_name}; ` +
    `Where ${owner} is the superuser, restore the backup as ${user_name} instead, with pg_restore ` +
    '--no-owner'
  )
}
