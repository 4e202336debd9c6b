/**
 * `npm run check`: everything that a change has to pass, cheapest first. Stops at the first step
 * that fails, and ends with one line that says how it went.
 */
import { spawnSync } from 'node:child_process'

import { projectEnvironment, projectRoot } from './project.ts'

const steps: readonly { name: string; command: string[] }[] = [
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'lint', command: ['oxlint'] },
  { name: 'types', command: ['tsc', '-b'] },
  { name: 'dead code', command: ['knip'] },
  // Finds a lock file that another machine would refuse.
  { name: 'lock file', command: ['npm', 'ci', '--dry-run', '--ignore-scripts', '--silent'] },
  { name: 'build', command: ['node', 'tools/build.ts', '--always'] },
  { name: 'bundle budget', command: ['node', 'tools/bundle-budget.ts'] },
  { name: 'tests', command: ['node', 'tools/testing/test.ts'] },
]

const startedAtMs = Date.now()
const secondsSince = (sinceMs: number) => `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`

const red = steps.find(({ name, command: [program = '', ...words] }) => {
  console.log(`\n— ${name}: ${[program, ...words].join(' ')}`)
  const stepStartedAtMs = Date.now()
  const { status, error } = spawnSync(program, words, {
    cwd: projectRoot,
    env: projectEnvironment,
    stdio: 'inherit',
  })
  if (error) console.error(error.message)
  console.log(
    `— ${name}: ${status === 0 ? 'passed' : 'failed'} in ${secondsSince(stepStartedAtMs)}`,
  )
  return status !== 0
})

console.log(
  red
    ? `\ncheck failed at "${red.name}" after ${secondsSince(startedAtMs)}`
    : `\ncheck passed: ${steps.length} steps in ${secondsSince(startedAtMs)}`,
)
process.exitCode = red ? 1 : 0
