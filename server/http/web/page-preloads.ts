import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The build's manifest: what became of each source, by its path below web/. */
export type BuildManifest = Record<string, { file: string; isEntry?: boolean; imports?: string[] }>

/**
 * The files that a page of the built web app asks for once its first ones run, by where its code
 * begins. The browser is told of them at once, so that the page need not wait for them in turn.
 */
export function readPagePreloads(folder: string): (sources: readonly string[]) => string[] {
  const path = join(folder, '.vite', 'manifest.json')
  const manifest = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as BuildManifest) : {}
  const atStart = new Set(listLoadedFirst(manifest))
  return (sources) =>
    listLoadedFirst(manifest, sources)
      .filter((key) => !atStart.has(key))
      .flatMap((key) => manifest[key]?.file ?? [])
}

/**
 * What a page loads first whose code begins in `sources`: those and what every page begins with,
 * each with all that it imports statically.
 */
export function listLoadedFirst(
  manifest: BuildManifest,
  sources: readonly string[] = [],
): string[] {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  const seen = new Set<string>()
  const visit = (key: string): void => {
    if (seen.has(key)) return
    seen.add(key)
    manifest[key]?.imports?.forEach(visit)
  }
  for (const source of [...entries, ...sources]) visit(source)
  return [...seen]
}
