import { availableParallelism } from 'node:os'

import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

import { missingPrograms } from './tools/testing/chain-nodes.ts'
import { LongFirst } from './tools/testing/long-first.ts'
import { SummaryReporter } from './tools/testing/vitest-summary.ts'

const builtServer = 'tools/testing/built-server.ts'
const summaryFile = process.env['TEST_SUMMARY_FILE']

type Options = NonNullable<TestProjectInlineConfiguration['test']>

const project = (name: string, options: Options): TestProjectInlineConfiguration => ({
  // What a file imports is read once for all files of a worker; none of them replaces modules.
  test: {
    name,
    environment: 'node',
    isolate: false,
    // Node reads TypeScript itself, quicker than through Vite, and keeps what it has compiled.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 20_000,
    // On a busy machine what is awaited may take longer than a second.
    expect: { poll: { timeout: 10_000 } },
    ...options,
  },
})

/** The same tests of the API run on both databases; what only one of them can prove says so. */
const api = (database: 'embedded' | 'postgres', options: Options) =>
  project(`api-${database}`, {
    include: ['tests/api/**/*.test.ts'],
    env: { TEST_DATABASE: database },
    globalSetup: [builtServer, `tests/kit/servers/${database}-template.ts`],
    hookTimeout: 60_000,
    ...options,
  })

export default defineConfig({
  test: {
    allowOnly: summaryFile === undefined,
    maxWorkers: '100%',
    sequence: { sequencer: LongFirst },
    reporters: summaryFile ? ['default', new SummaryReporter(summaryFile)] : ['default'],
    projects: [
      project('unit', {
        include: ['{contract,domain,server,web,console,tools}/**/*.test.{ts,tsx}'],
        // Node itself reads no JSX.
        experimental: {},
        sequence: { groupOrder: 1 },
      }),
      project('house', {
        include: ['tests/house/**/*.test.ts'],
        testTimeout: 60_000,
        sequence: { groupOrder: 1 },
      }),
      api('embedded', {
        exclude: [...configDefaults.exclude, '**/*.postgres.test.ts'],
        sequence: { groupOrder: 2 },
      }),
      api('postgres', {
        exclude: [...configDefaults.exclude, '**/*.embedded.test.ts'],
        sequence: { groupOrder: 3 },
      }),
      // Real nodes of real chains, and the server's real database.
      project('rails', {
        include: ['tests/rails/**/*.test.ts'],
        exclude: [
          ...configDefaults.exclude,
          ...missingPrograms(process.env).map(({ tests }) => tests),
        ],
        env: { TEST_DATABASE: 'postgres' },
        globalSetup: [builtServer, 'tests/kit/servers/postgres-template.ts'],
        // They wait for blocks much of their time.
        maxWorkers: availableParallelism() + 1,
        testTimeout: 60_000,
        hookTimeout: 60_000,
        sequence: { groupOrder: 4 },
      }),
    ],
  },
})
