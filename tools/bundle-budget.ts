/**
 * Holds the weight of what a browser fetches first: the JavaScript of each page before it can be
 * used, and the style before it is seen, compressed as they are served; and that no two scripts
 * import each other. Reads what the two builds left in dist/web.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

import { type BuildManifest, listLoadedFirst } from '#server/http/web/page-preloads.ts'
import { projectRoot } from './project.ts'

/** What every page also loads if somebody is logged in. */
const FOR_USERS = ['app/logged-in.ts']

type Budget = { screen: string; kilobytesMax: number; besides?: string[] }

type Build = {
  /** Below dist/web. */
  folder: string
  /** The prefix of its files' addresses. */
  base: string
  /** Where the code of a screen begins. */
  sourceOf: (screen: string) => string
  /** The screens, and how many kilobytes of script each may load at first. */
  budgets: readonly Budget[]
  /**
   * Nothing is visible before the style is loaded. It is one file for all screens and both themes,
   * including the accent surface and the poster sizes.
   */
  styleKilobytesMax: number
}

const buyersPages: Build = {
  folder: '.',
  base: '/',
  sourceOf: (screen) => `screens/${screen}.tsx`,
  budgets: [
    { screen: 'login', kilobytesMax: 110 },
    { screen: 'register', kilobytesMax: 130 },
    { screen: 'forgot-password', kilobytesMax: 113 },
    { screen: 'info', kilobytesMax: 127 },
    { screen: 'terms', kilobytesMax: 110.5 },
    { screen: 'privacy-policy', kilobytesMax: 110.5 },
    { screen: 'dashboard', kilobytesMax: 150, besides: FOR_USERS },
    { screen: 'buy', kilobytesMax: 154, besides: FOR_USERS },
    { screen: 'account', kilobytesMax: 139, besides: FOR_USERS },
    { screen: 'referrals', kilobytesMax: 138, besides: FOR_USERS },
  ],
  styleKilobytesMax: 10,
}

const operatorsPages: Build = {
  folder: 'operator',
  base: '/operator/',
  sourceOf: (screen) => `${screen}/screen.tsx`,
  budgets: [
    { screen: 'sign-in', kilobytesMax: 130 },
    { screen: 'overview', kilobytesMax: 130 },
  ],
  styleKilobytesMax: 10,
}

/** More files take more round trips, and compress worse. */
const FILES_MAX = 20

export function firstLoadFiles(manifest: BuildManifest, ...sources: string[]): string[] {
  return listLoadedFirst(manifest, sources)
    .flatMap((key) => manifest[key]?.file ?? [])
    .filter((file) => file.endsWith('.js'))
}

/** Scripts that import each other: one of them runs before what it needs is there. */
export function findCircle(manifest: BuildManifest): string[] {
  const done = new Set<string>()
  const search = (key: string, path: readonly string[]): string[] => {
    if (path.includes(key)) return path.slice(path.indexOf(key))
    if (done.has(key)) return []
    for (const imported of manifest[key]?.imports ?? []) {
      const circle = search(imported, [...path, key])
      if (circle.length > 0) return circle
    }
    done.add(key)
    return []
  }
  const circles = Object.keys(manifest).map((key) => search(key, []))
  const circle = circles.find(({ length }) => length > 0) ?? []
  return circle.map((key) => manifest[key]?.file ?? key)
}

function compressedSize(path: string): number {
  return existsSync(`${path}.br`)
    ? readFileSync(`${path}.br`).length
    : brotliCompressSync(readFileSync(path)).length
}

const kilobytesOf = (folder: string, files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + compressedSize(join(folder, file)), 0) / 1024

type Sentence = { isOver: boolean; text: string }

function weigh({ folder: name, base, sourceOf, budgets, styleKilobytesMax }: Build): Sentence[] {
  const folder = join(projectRoot, 'dist', 'web', name)
  const manifest = JSON.parse(
    readFileSync(join(folder, '.vite/manifest.json'), 'utf8'),
  ) as BuildManifest
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const ownFiles = (attribute: string, ending: string) =>
    [...page.matchAll(new RegExp(`${attribute}="${base}([^"]+\\.${ending})"`, 'g'))].map(
      ([, file = '']) => file,
    )
  const scripts = ownFiles('<script[^>]+src', 'js')
  const sentences = budgets.map(({ screen, kilobytesMax, besides = [] }) => {
    const sources = [sourceOf(screen), ...besides]
    const missing = sources.find((source) => manifest[source] === undefined)
    if (missing !== undefined) throw new Error(`The build has no chunk for ${missing}.`)
    const files = new Set([...scripts, ...firstLoadFiles(manifest, ...sources)])
    const size = kilobytesOf(folder, files)
    return {
      isOver: size > kilobytesMax || files.size > FILES_MAX,
      text:
        `The scripts of ${base}${screen}: ${size.toFixed(1)} KB of ${kilobytesMax} KB allowed, ` +
        `${files.size} files of ${FILES_MAX}.`,
    }
  })
  const style = kilobytesOf(folder, ownFiles('<link[^>]+href', 'css'))
  sentences.push({
    isOver: style > styleKilobytesMax,
    text: `The style of ${base}: ${style.toFixed(1)} KB of ${styleKilobytesMax} KB allowed.`,
  })
  const circle = findCircle(manifest)
  if (circle.length > 0) {
    sentences.push({
      isOver: true,
      text: `Scripts of ${base} import each other: ${circle.join(', ')}.`,
    })
  }
  return sentences
}

/** What is over its budget, a sentence each; the measurements have been printed. */
function excesses(): string[] {
  const sentences = [buyersPages, operatorsPages].flatMap(weigh)
  for (const { text } of sentences) console.log(`  ${text}`)
  return sentences.filter(({ isOver }) => isOver).map(({ text }) => text)
}

if (import.meta.main) process.exitCode = excesses().length === 0 ? 0 : 1
