import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One entry of the build's manifest, by the path of its source below web/. */
type Chunk = { file: string; isEntry?: boolean; imports?: string[] }

/**
 * The files that a page of the built web app asks for once its first ones run, by where its code
 * begins. The browser is told of them at once, so that the page need not wait for them in turn.
 */
export function readPagePreloads(folder: string): (source: string) => string[] {
  const path = join(folder, '.vite', 'manifest.json')
  const manifest = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, Chunk>)
    : {}
  const known = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  const atStart = reachable(manifest, known)
  return (source) =>
    [...reachable(manifest, [source])]
      .filter((key) => !atStart.has(key))
      .flatMap((key) => manifest[key]?.file ?? [])
}

function reachable(manifest: Record<string, Chunk>, keys: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const visit = (key: string): void => {
    if (seen.has(key)) return
    seen.add(key)
    manifest[key]?.imports?.forEach(visit)
  }
  keys.forEach(visit)
  return seen
}
