import { makePostgresTemplate, type PostgresTemplate } from './postgres-databases.ts'

/** How the workers of the runner are told. */
const VARIABLE = 'PRODUCT_TEMPLATE'

/** Before the first test; returns what cleans up after the last. */
export default async function setup(): Promise<() => Promise<void>> {
  const { clean, ...made } = await makePostgresTemplate()
  process.env[VARIABLE] = JSON.stringify(made)
  return clean
}

/** The database of which every product on PostgreSQL gets a copy. */
export function sharedTemplate(): PostgresTemplate {
  return JSON.parse(process.env[VARIABLE] ?? '') as PostgresTemplate
}
