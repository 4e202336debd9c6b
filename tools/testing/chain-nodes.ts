import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { canInstallPackages, installPackage } from './install-package.ts'
import { projectEnvironment, projectRoot } from '#tools/project.ts'

/** A real program against which tests of rails run: a chain's node, or PostgreSQL's own tools. */
type Program = {
  name: string
  isHere: boolean
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

const programs = (): readonly Program[] => [
  {
    name: 'Anvil',
    isHere: existsSync(join(projectRoot, 'node_modules', '.bin', 'anvil')),
    tests: 'tests/rails/{evm/*,live-pace,refund-*,restored-backup}.test.ts',
    advice: 'npm installs it on Linux on x64',
  },
  {
    name: LITECOIND,
    isHere: onPath(LITECOIND),
    tests: 'tests/rails/{utxo/*,live-pace,refund-*,restored-backup}.test.ts',
    advice: 'install the package litecoind',
  },
  {
    name: 'pg_dump',
    isHere: findPostgresTools() !== null,
    tests: 'tests/rails/restored-backup.test.ts',
    advice: 'install the package postgresql',
  },
]

/** The folder of a PostgreSQL of this machine, with the tools that npm does not have. */
export function findPostgresTools(): string | null {
  const folders = globSync('/usr/lib/postgresql/*/bin')
  const whole = folders.filter((folder) =>
    ['initdb', 'pg_dump'].every((program) => existsSync(join(folder, program))),
  )
  return whole.toSorted().at(-1) ?? null
}

/** Installs the node that npm does not have, if that needs no confirmation. */
export async function provideChainNodes(): Promise<void> {
  if (!onPath(LITECOIND) && canInstallPackages()) await installPackage(LITECOIND)
}

/**
 * The programs that are not installed here, whose tests are left out. None in continuous
 * integration, where a test without its program has to fail.
 */
export function missingPrograms(
  environment: Readonly<Record<string, string | undefined>>,
): readonly Program[] {
  return environment['CI'] ? [] : programs().filter(({ isHere }) => !isHere)
}
