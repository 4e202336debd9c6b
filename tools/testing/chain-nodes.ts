import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { canInstallPackages, installPackage } from './install-package.ts'
import { projectEnvironment, projectRoot } from '#tools/project.ts'

/** A real node of a chain against which tests of rails run. */
type ChainNode = {
  name: string
  isHere: boolean
  /** The tests that need it. */
  tests: string
  /** How to get it if it is not installed. */
  advice: string
}

/** A node of the Bitcoin family. */
const LITECOIND = 'litecoind'

const onPath = (program: string) =>
  (projectEnvironment.PATH ?? '')
    .split(delimiter)
    .some((folder) => existsSync(join(folder, program)))

const chainNodes = (): readonly ChainNode[] => [
  {
    name: 'Anvil',
    isHere: existsSync(join(projectRoot, 'node_modules', '.bin', 'anvil')),
    tests: 'tests/rails/{evm/*,live-pace,refund-claims}.test.ts',
    advice: 'npm installs it on Linux on x64',
  },
  {
    name: LITECOIND,
    isHere: onPath(LITECOIND),
    tests: 'tests/rails/{utxo/*,live-pace,refund-claims}.test.ts',
    advice: 'install the package litecoind',
  },
]

/** Installs the node that npm does not have, if that needs no confirmation. */
export async function provideChainNodes(): Promise<void> {
  if (!onPath(LITECOIND) && canInstallPackages()) await installPackage(LITECOIND)
}

/**
 * The nodes that are not installed here, whose tests are left out. None in continuous integration,
 * where a test without its node has to fail.
 */
export function missingChainNodes(
  environment: Readonly<Record<string, string | undefined>>,
): readonly ChainNode[] {
  return environment['CI'] ? [] : chainNodes().filter(({ isHere }) => !isHere)
}
