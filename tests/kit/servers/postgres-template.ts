import type { TestProject } from 'vitest/node'
import { makePostgresTemplate, type PostgresTemplate } from './postgres-databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresTemplate
  }
}

/** Returns the function that cleans up. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { clean, ...made } = await makePostgresTemplate()
  project.provide('postgres', made)
  return clean
}
