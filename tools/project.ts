import { delimiter, join } from 'node:path'

export const projectRoot = join(import.meta.dirname, '..')

/** The environment for child processes: what npm installed is found first, the pinned Node too. */
export const projectEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [join(projectRoot, 'node_modules', '.bin'), process.env['PATH']].join(delimiter),
}
