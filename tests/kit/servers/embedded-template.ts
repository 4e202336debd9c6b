import type { TestProject } from 'vitest/node'
import { provideEmbeddedSnapshot } from './embedded-snapshot.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of a dump of an embedded database that has its tables and no rows. */
    embeddedSnapshot: string
  }
}

export async function setup(project: TestProject): Promise<void> {
  project.provide('embeddedSnapshot', await provideEmbeddedSnapshot())
}
