import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { projectEnvironment } from './project.ts'

const wanted = {
  packages: {
    '': {},
    'node_modules/zod': { version: '4.0.0', integrity: 'sha512-a' },
    'node_modules/node-other-system': { version: '24.0.0', optional: true },
  },
}
const installed = { packages: { 'node_modules/zod': { version: '4.0.0', integrity: 'sha512-a' } } }

let project = ''

/** Writes a file of the made-up project, as JSON unless it is text. */
function place(path: string, content: unknown): void {
  mkdirSync(dirname(join(project, path)), { recursive: true })
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  writeFileSync(join(project, path), text, { mode: 0o755 })
}

/** Runs the script in the made-up project, where npm is a program that leaves a mark. */
function ensureInstalled(npmExitCode = 0, ...words: string[]) {
  place(
    'npm-cli.js',
    `require('fs').writeFileSync('npm-was-here', ''); process.exit(${npmExitCode})`,
  )
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['tools/ensure-installed.mjs', ...words],
    {
      cwd: project,
      encoding: 'utf8',
      env: { PATH: projectEnvironment['PATH'], npm_execpath: join(project, 'npm-cli.js') },
    },
  )
  const { status: marked } = spawnSync('test', ['-e', join(project, 'npm-was-here')])
  return { status, output: stdout + stderr, hasInstalled: marked === 0 }
}

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'presale-install-'))
  cpSync(
    join(import.meta.dirname, 'ensure-installed.mjs'),
    join(project, 'tools/ensure-installed.mjs'),
  )
  place('package.json', { engines: { node: '>=24.12' } })
  place('package-lock.json', wanted)
  place('node_modules/.package-lock.json', installed)
})

afterEach(() => {
  rmSync(project, { recursive: true })
})

test('says and does nothing when all is there', () => {
  expect(ensureInstalled()).toEqual({ status: 0, output: '', hasInstalled: false })
})

test.each([
  { name: 'nothing is there', lock: null },
  { name: 'a package is missing', lock: { packages: {} } },
  {
    name: 'a package has another version',
    lock: { packages: { 'node_modules/zod': { version: '3.0.0', integrity: 'sha512-a' } } },
  },
  {
    name: 'a package is not wanted any more',
    lock: { packages: { ...installed.packages, 'node_modules/left': { version: '1.0.0' } } },
  },
])('installs when $name', ({ lock }) => {
  if (lock) place('node_modules/.package-lock.json', lock)
  else rmSync(join(project, 'node_modules'), { recursive: true })

  const { status, output, hasInstalled } = ensureInstalled()

  expect(hasInstalled).toBe(true)
  expect(output).toMatch(/^Installing the dependencies .*\nDependencies installed in \d+ s\.\n$/)
  expect(status).toBe(0)
})

test('an install that fails ends with what to do', () => {
  rmSync(join(project, 'node_modules'), { recursive: true })

  const { status, output } = ensureInstalled(7)

  expect(output).toContain('could not be installed (npm ci: code 7). Check the connection')
  expect(status).toBe(1)
})

test('a Node that is too old is refused', () => {
  place('node_modules/.bin/node', '#!/bin/sh\necho v20.20.2\n')

  const { status, output } = ensureInstalled()

  expect(output).toMatch(/^Node 24\.12 or newer is needed, and 20\.20\.2 is here\. .*\n$/)
  expect(status).toBe(1)
})

test('the script that is named runs, and its exit code is the answer', () => {
  place(
    'tools/say.ts',
    "const word: string = process.argv[2] ?? ''\nconsole.log(word)\nprocess.exit(3)",
  )

  expect(ensureInstalled(0, 'tools/say.ts', 'hello')).toMatchObject({
    status: 3,
    output: 'hello\n',
  })
})
