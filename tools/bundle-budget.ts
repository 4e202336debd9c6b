/**
 * Holds the weight of what a visitor's browser fetches first: the JavaScript of each page before it
 * can be used, and the style before it is seen, compressed as they are served. Reads what
 * `vite build` left in dist/web.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

import { type BuildManifest, listLoadedFirst } from '#server/http/web/page-preloads.ts'
import { projectRoot } from './project.ts'

/** The pages of visitors, and how many kilobytes of script each may load at first. */
const budgets: readonly { screen: string; kilobytesMax: number }[] = [
  { screen: 'login', kilobytesMax: 119 },
  { screen: 'register', kilobytesMax: 130 },
  { screen: 'forgot-password', kilobytesMax: 119 },
  { screen: 'info', kilobytesMax: 130 },
  { screen: 'terms', kilobytesMax: 118 },
  { screen: 'privacy-policy', kilobytesMax: 118 },
]

/**
 * Nothing is seen before the style is there. It is one file for all pages and both themes, with the
 * accent as a surface and the sizes of the posters.
 */
const STYLE_KILOBYTES_MAX = 10

/** The scripts of a manifest that the page of a screen loads first. */
export function firstLoadFiles(manifest: BuildManifest, screen: string): string[] {
  return listLoadedFirst(manifest, [screen])
    .flatMap((key) => manifest[key]?.file ?? [])
    .filter((file) => file.endsWith('.js'))
}

function compressedSize(path: string): number {
  return existsSync(`${path}.br`)
    ? readFileSync(`${path}.br`).length
    : brotliCompressSync(readFileSync(path)).length
}

const kilobytesOf = (folder: string, files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + compressedSize(join(folder, file)), 0) / 1024

/** What is over its budget, a sentence each; the measures have been printed. */
function excesses(): string[] {
  const folder = join(projectRoot, 'dist', 'web')
  const manifest = JSON.parse(
    readFileSync(join(folder, '.vite/manifest.json'), 'utf8'),
  ) as BuildManifest
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const scripts = [...page.matchAll(/<script[^>]+src="\/([^"]+\.js)"/g)].map(
    ([, file = '']) => file,
  )
  const styles = [...page.matchAll(/<link[^>]+href="\/([^"]+\.css)"/g)].map(([, file = '']) => file)
  const measures = budgets.map(({ screen, kilobytesMax }) => {
    const source = `screens/${screen}.tsx`
    if (manifest[source] === undefined) throw new Error(`The build has no chunk for ${source}.`)
    const files = new Set([...scripts, ...firstLoadFiles(manifest, source)])
    return { what: `The scripts of /${screen}`, size: kilobytesOf(folder, files), kilobytesMax }
  })
  const style = kilobytesOf(folder, styles)
  measures.push({ what: 'The style', size: style, kilobytesMax: STYLE_KILOBYTES_MAX })
  const sentences = measures.map(({ what, size, kilobytesMax }) => ({
    isOver: size > kilobytesMax,
    text: `${what}: ${size.toFixed(1)} KB of ${kilobytesMax} KB allowed.`,
  }))
  for (const { text } of sentences) console.log(`  ${text}`)
  return sentences.filter(({ isOver }) => isOver).map(({ text }) => text)
}

if (import.meta.main) process.exitCode = excesses().length === 0 ? 0 : 1
