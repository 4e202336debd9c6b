import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const projectRoot = join(import.meta.dirname, '..')

/** The environment for child processes: what npm installed is found first, the pinned Node too. */
export const projectEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [join(projectRoot, 'node_modules', '.bin'), process.env['PATH']].join(delimiter),
}

/** What `npm start` gives to Node: whoever tries the product runs it as operators do. */
export const serverArguments: readonly string[] = readStartScript()
  .split(' ')
  .slice(2)
  .map((word) => (word.startsWith('-') ? word : join(projectRoot, word)))

function readStartScript(): string {
  const manifest = readFileSync(join(projectRoot, 'package.json'), 'utf8')
  const { scripts } = JSON.parse(manifest) as { scripts: { start: string } }
  return scripts.start
}
