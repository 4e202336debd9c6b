/**
 * `npm run test:long`: the random tests of the sale's rules with very many cases each. It prints
 * its seed first, and where something fails, how to run the same cases again.
 *
 *     SEED=123 RANDOM_RUNS=5000 npm run test:long -- domain/sale-events
 */
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'

import { projectEnvironment, projectRoot } from '#tools/project.ts'

const RUNS_BY_DEFAULT = 100_000
const SEED_BITS = 31

const seed = process.env['SEED'] ?? String(randomInt(2 ** SEED_BITS))
const runs = process.env['RANDOM_RUNS'] ?? String(RUNS_BY_DEFAULT)
const chosen = process.argv.slice(2)
const files = chosen.length === 0 ? ['domain', 'web/lib'] : chosen

console.log(`Seed ${seed}, ${runs} cases for each property.`)
const { status } = spawnSync('vitest', ['run', '--project', 'unit', ...files], {
  cwd: projectRoot,
  env: { ...projectEnvironment, SEED: seed, RANDOM_RUNS: runs },
  stdio: 'inherit',
})
if (status !== 0) {
  const again = [`SEED=${seed}`, `RANDOM_RUNS=${runs}`, 'npm run test:long', ...dashed(chosen)]
  console.log(`The same cases again: ${again.join(' ')}`)
}
process.exitCode = status ?? 1

function dashed(words: readonly string[]): string[] {
  return words.length === 0 ? [] : ['--', ...words]
}
