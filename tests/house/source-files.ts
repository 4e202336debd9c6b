import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { projectRoot } from '#tools/project.ts'

/** What tools make and git does not keep. */
const generated = new Set([
  '.git',
  'node_modules',
  'dist',
  'data',
  '.cache',
  'coverage',
  'test-results',
  'playwright-report',
])

const binary = /\.(png|ico|woff2?|jpg|webp|gz|br)$/

export type SourceFile = { path: string; text: string }

/** Every path of the project, files only, relative to its root. */
export function listPaths(folder = ''): string[] {
  return readdirSync(join(projectRoot, folder)).flatMap((name) => {
    if (generated.has(name)) return []
    const path = folder === '' ? name : `${folder}/${name}`
    return statSync(join(projectRoot, path)).isDirectory() ? listPaths(path) : [path]
  })
}

/** The files that people wrote, as text. */
export function readSources(): SourceFile[] {
  return listPaths()
    .filter((path) => !binary.test(path) && path !== 'package-lock.json')
    .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }))
}
