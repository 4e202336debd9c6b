import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { projectEnvironment, projectRoot } from '#tools/project.ts'

export type Complaint = { path: string; line: number; rule: string; text: string }

type Diagnostic = {
  filename: string
  code: string
  message: string
  help?: string
  labels: { span: { line: number } }[]
}

const rooms = ['domain', 'contract', 'server', 'web', 'tools', 'tests']
const configuration = [
  '.oxlintrc.json',
  'package.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'tools/lint/rooms.ts',
  'tools/lint/room-table.ts',
  'tools/lint/room.ts',
  'tools/lint/use-case-rooms.ts',
  ...rooms.map((room) => `${room}/tsconfig.json`),
]

/**
 * Lints made-up files under the project's own rules, in a separate temporary tree, and returns
 * everything that the linter reports. `files` maps a path to its text.
 */
export function lintSeeds(files: ReadonlyMap<string, string>): Complaint[] {
  const folder = mkdtempSync(join(tmpdir(), 'presale-lint-'))
  const place = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    return join(folder, path)
  }
  try {
    for (const path of configuration) copyFileSync(join(projectRoot, path), place(path))
    // The rules that need types also need those of the packages.
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
    for (const [path, text] of files) writeFileSync(place(path), text)
    const { stdout, stderr } = spawnSync('oxlint', ['--format', 'json'], {
      cwd: folder,
      env: projectEnvironment,
      encoding: 'utf8',
    })
    if (!stdout.startsWith('{')) throw new Error(`oxlint did not run: ${stdout}${stderr}`)
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] }
    return diagnostics.map(({ filename, code, message, help = '', labels }) => ({
      path: filename,
      line: labels[0]?.span.line ?? 0,
      rule: code,
      text: `${message} ${help}`,
    }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
