/**
 * Holds the weight of the login page's first load: the JavaScript that a visitor's browser fetches
 * before the page can be used, compressed as it is served. Reads what `vite build` left in
 * dist/web.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

import { projectRoot } from './project.ts'

/** One entry of Vite's manifest, by the path of its source below web/. */
type Chunk = { file: string; isEntry?: boolean; imports?: string[]; dynamicImports?: string[] }
type Manifest = Record<string, Chunk>

const bytesMax = 120 * 1024
const loginScreen = /^screens\/login/

/** The files of a manifest that the page of `screen` loads first, in the order of discovery. */
export function firstLoadFiles(manifest: Manifest, screen: RegExp): string[] {
  const keys = Object.keys(manifest)
  const roots = keys.filter((key) => manifest[key]?.isEntry || screen.test(key))
  const seen = new Set<string>()
  const visit = (key: string): void => {
    if (seen.has(key)) return
    seen.add(key)
    manifest[key]?.imports?.forEach(visit)
  }
  roots.forEach(visit)
  return [...seen].map((key) => manifest[key]?.file ?? '').filter((file) => file.endsWith('.js'))
}

function compressedSize(path: string): number {
  return existsSync(`${path}.br`)
    ? readFileSync(`${path}.br`).length
    : brotliCompressSync(readFileSync(path)).length
}

function checkBudget(): boolean {
  const folder = join(projectRoot, 'dist', 'web')
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest
  if (!Object.keys(manifest).some((key) => loginScreen.test(key))) {
    console.error('The build has no chunk for the login screen (web/screens/login…).')
    return false
  }
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [
    ...page.matchAll(/<link[^>]+modulepreload[^>]+href="\/([^"]+\.js)"/g),
    ...page.matchAll(/<script[^>]+src="\/([^"]+\.js)"/g),
  ]
  const files = new Set([
    ...firstLoadFiles(manifest, loginScreen),
    ...named.map(([, file = '']) => file),
  ])
  const sizes = [...files].map((file) => ({ file, bytes: compressedSize(join(folder, file)) }))
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0)
  const kilobytes = (amount: number) => `${(amount / 1024).toFixed(1)} KB`
  for (const size of sizes) console.log(`  ${size.file}: ${kilobytes(size.bytes)}`)
  console.log(`The login page loads ${kilobytes(bytes)} of ${kilobytes(bytesMax)} allowed.`)
  return bytes <= bytesMax
}

if (import.meta.main) process.exitCode = checkBudget() ? 0 : 1
