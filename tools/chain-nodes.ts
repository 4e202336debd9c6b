import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { projectEnvironment, projectRoot } from './project.ts'

/** A real node of a chain that tests of rails run against. */
type ChainNode = {
  name: string
  isHere: boolean
  /** The tests that need it. */
  tests: string
  /** How it is got where it is not here. */
  advice: string
}

const onPath = (program: string) =>
  (projectEnvironment.PATH ?? '')
    .split(delimiter)
    .some((folder) => existsSync(join(folder, program)))

const chainNodes: readonly ChainNode[] = [
  {
    name: 'Anvil',
    isHere: existsSync(join(projectRoot, 'node_modules', '.bin', 'anvil')),
    tests: 'tests/rails/evm*.test.ts',
    advice: 'npm installs it on Linux on x64',
  },
  {
    name: 'litecoind',
    isHere: onPath('litecoind'),
    tests: 'tests/rails/utxo*.test.ts',
    advice: 'install the package litecoind',
  },
]

/**
 * The nodes that are not installed here, whose tests are left out. None in continuous integration,
 * where a test without its node is to fail.
 */
export function missingChainNodes(
  environment: Readonly<Record<string, string | undefined>>,
): readonly ChainNode[] {
  return environment['CI'] ? [] : chainNodes.filter(({ isHere }) => !isHere)
}
