import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { readVersion } from './version.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'presale-version-'))
  writeFileSync(join(root, 'package.json'), '{ "version": "4.5.6" }')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function git(...words: string[]): string {
  const who = ['-c', 'user.name=Olga', '-c', 'user.email=olga@example.com']
  const place = [`--git-dir=${join(root, '.git')}`, `--work-tree=${root}`]
  const { status, stdout, stderr } = spawnSync('git', [...who, ...place, ...words], {
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  return stdout.trim()
}

function commit(): void {
  git('add', '--all')
  git('commit', '--quiet', '--no-verify', '--message', 'A commit')
}

test('a clone is the version of its commit, and says if its files were changed', () => {
  git('init', '--quiet')
  commit()
  const first = git('rev-parse', '--short=12', 'HEAD')
  expect(readVersion(root)).toBe(first)
  git('tag', '1.0')
  expect(readVersion(root)).toBe('1.0')
  writeFileSync(join(root, 'package.json'), '{ "version": "4.5.7" }')
  expect(readVersion(root)).toBe('1.0-dirty')
  commit()
  expect(readVersion(root)).toBe(`1.0-1-g${git('rev-parse', '--short=12', 'HEAD')}`)
})

test('without git it is the version of the package, inside of another repository too', () => {
  expect(readVersion(root)).toBe('4.5.6')
  git('init', '--quiet')
  commit()
  const inner = join(root, 'release')
  mkdirSync(inner)
  writeFileSync(join(inner, 'package.json'), '{ "version": "7.8.9" }')
  expect(readVersion(inner)).toBe('7.8.9')
})
