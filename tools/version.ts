import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { projectRoot } from './project.ts'

/** So long, or git would take as many digits as the size of a clone makes it. */
const DIGITS = 12

/**
 * Which version the sources here are: the commit, or the last tag with what came after it, with
 * `-dirty` if files have been changed since. Where there is no git, the version of the package.
 */
export function readVersion(root = projectRoot): string {
  // A release that was unpacked inside of another project is no commit of that one.
  const place = ['--no-optional-locks', '--git-dir=.git']
  const words = ['describe', '--always', '--tags', '--dirty', `--abbrev=${DIGITS}`]
  const git = spawnSync('git', [...place, ...words], { cwd: root, encoding: 'utf8' })
  if (git.status === 0) return git.stdout.trim()
  const manifest = readFileSync(join(root, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
