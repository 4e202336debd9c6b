import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The build's manifest: what became of each source file, by its path below web/. */
export type BuildManifest = Record<string, { file: string; isEntry?: boolean; imports?: string[] }>

/**
 * The files that a page loads after its first scripts run, by the source file where its code
 * begins. The page preloads them, so that the browser need not discover them one by one.
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
 * What a page whose code begins in `sources` loads first: these and the entries, with all their
 * static imports.
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
