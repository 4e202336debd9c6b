import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

import type { PageLanguage } from '#contract/language.ts'
import {
  PAGE_SEED_ID,
  type PageSeed,
  type RenderedPage,
  type RenderPage,
} from '#contract/page-seed.ts'
import type { Project } from '#contract/shapes.ts'
import { invariant } from '#domain/invariant.ts'
import type { Services } from '#server/services.ts'
import { listBanners } from '#server/use-cases/sale/list-banners.ts'
import { escapeHtml } from '#server/use-cases/mailing/texts/escape-html.ts'
import { presentBanner, presentProject } from '#server/http/api/present-sale.ts'
import { createStagesReader } from './stages-reader.ts'
import { readPagePreloads } from './page-preloads.ts'
import { projectPicturePath } from '#server/http/api/project-pictures.ts'

/** A page of the web app as it is sent. */
export type SentPage = { html: Buffer; brotli: Buffer; etag: string }

/** The build’s renderer of pages, below the web app’s folder; it is not served. */
export const RENDERER_FOLDER = '.server'

/** Whether search engines may list a page. */
export type Listing = 'listed' | 'unlisted'

/** The places in the template that are filled in. */
const MARKS = /<!--(head|scripts|note|page|seed)-->/g

/** The template's scripts. If the page is visible without them, its style and its font go first. */
const SCRIPT_TAGS = /<(?:script type="module"|link rel="modulepreload")/g

/**
 * A compromise: a page is compressed once for many readers, and again whenever its notices or
 * stages change.
 */
const BROTLI_QUALITY = 6

/**
 * The pages of the built web app with the content of the sale: title, description and link
 * previews, the project, its current notices and its stages, and the full text of the pages that
 * can be read without scripts. Each is rendered on first request per language, and kept until the
 * notices, the stages or the sale change. A path of null is the page for a wrong address.
 */
export async function createRenderedPages(services: Services, folder: string) {
  const build: Build = {
    template: readFileSync(join(folder, 'index.html'), 'utf8'),
    render: await loadRenderer(folder),
    preloadsOf: readPagePreloads(folder),
  }
  const readStages = createStagesReader(services)
  let content = ''
  let { sale } = services
  let project = presentProject(sale, services.settings)
  const pages = new Map<string, SentPage>()
  return async (
    path: string | null,
    listing: Listing,
    language: PageLanguage,
  ): Promise<SentPage> => {
    const stages = await readStages()
    // From here on nothing is awaited, so that nobody renders the same page meanwhile.
    const banners = listBanners(services).map(presentBanner)
    const found = JSON.stringify({ banners, stages })
    if (found !== content || services.sale !== sale) {
      content = found
      sale = services.sale
      project = presentProject(sale, services.settings)
      pages.clear()
    }
    const key = `${language} ${path ?? ''}`
    const known = pages.get(key)
    if (known !== undefined) return known
    const seed = { project: inLanguage(project, language), banners, stages }
    const page = pack(fillIn(services, build, { path, listing, language, ...seed }))
    pages.set(key, page)
    return page
  }
}

/** A page in one language does not need the other translations, which would only make it longer. */
function inLanguage(project: Project, language: PageLanguage): Project {
  const texts = project.translations[language]
  return { ...project, translations: texts === undefined ? {} : { [language]: texts } }
}

/** What the build has produced; without a renderer each page is the bare web app. */
type Build = {
  template: string
  render: RenderPage | null
  preloadsOf: (sources: readonly string[]) => string[]
}
type Wanted = PageSeed & { path: string | null; listing: Listing; language: PageLanguage }

function fillIn(
  services: Services,
  { template, render, preloadsOf }: Build,
  { path, listing, language, ...seed }: Wanted,
): string {
  if (render === null) return template
  const page = render(path, seed, language)
  const json = JSON.stringify(seed).replaceAll('<', String.raw`\u003c`)
  const parts: Record<string, string> = {
    head: renderHead(services, page, path, listing),
    note: page.note,
    page: page.html,
    scripts: [...preloadsOf(page.sources).map(preload), laterPreloads(page, preloadsOf)].join(
      '\n    ',
    ),
    seed: `<script type="application/json" id="${PAGE_SEED_ID}">${json}</script>`,
  }
  const filled = template
    .replace('<html lang="en"', `<html lang="${language}"`)
    .replace(/<!--head-->.*<!--\/head-->/s, '<!--head-->')
    .replaceAll(MARKS, (mark, name: string) => parts[name] ?? mark)
  return page.html === '' ? filled : filled.replaceAll(SCRIPT_TAGS, '$& fetchpriority="low"')
}

/** `before-paint.js` knows whether somebody is logged in, and preloads accordingly. */
function laterPreloads({ sources, sourcesOf }: RenderedPage, preloadsOf: Build['preloadsOf']) {
  const common = new Set(preloadsOf(sources))
  const list = (more: string[]) =>
    preloadsOf(more)
      .filter((file) => !common.has(file))
      .map((file) => `/${file}`)
      .join(' ')
  return element('meta', {
    name: 'modules',
    'data-user': list(sourcesOf.user),
    'data-visitor': list(sourcesOf.visitor),
  })
}

function preload(file: string): string {
  return element('link', { rel: 'modulepreload', crossorigin: '', href: `/${file}` })
}

function renderHead(
  { settings, sale }: Services,
  { title, description }: RenderedPage,
  path: string | null,
  listing: Listing,
): string {
  const { pictures } = sale.project
  const icon = projectPicturePath(pictures, 'icon')
  const preview = projectPicturePath(pictures, 'socialPreview')
  const address = settings.publicUrl + (path === '/' ? '/info' : (path ?? ''))
  const tags = [
    element('title', {}, title),
    element('meta', { name: 'description', content: description }),
    listing === 'unlisted'
      ? element('meta', { name: 'robots', content: 'noindex' })
      : element('link', { rel: 'canonical', href: address }),
    element('meta', { property: 'og:type', content: 'website' }),
    element('meta', { property: 'og:site_name', content: sale.project.name }),
    element('meta', { property: 'og:title', content: title }),
    element('meta', { property: 'og:description', content: description }),
    ...(path === null ? [] : [element('meta', { property: 'og:url', content: address })]),
    ...previewTags(preview === null ? null : settings.publicUrl + preview),
    ...iconTags(icon),
    element('link', { rel: 'manifest', href: '/site.webmanifest' }),
    // Nothing is drawn before all is there: the panel above a form comes after it in the page.
    element('link', { rel: 'expect', href: `#${PAGE_SEED_ID}`, blocking: 'render' }),
  ]
  return tags.join('\n    ')
}

function previewTags(address: string | null): string[] {
  const kind = address === null ? 'summary' : 'summary_large_image'
  return [
    element('meta', { name: 'twitter:card', content: kind }),
    ...(address === null
      ? []
      : [
          element('meta', { property: 'og:image', content: address }),
          element('meta', { name: 'twitter:image', content: address }),
        ]),
  ]
}

function iconTags(icon: string | null): string[] {
  if (icon === null) {
    return [element('link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' })]
  }
  return [
    element('link', { rel: 'icon', href: icon, type: 'image/png' }),
    element('link', { rel: 'apple-touch-icon', href: icon }),
  ]
}

function element(name: string, attributes: Record<string, string>, text?: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
  const start = `<${name}${written.join('')}>`
  return text === undefined ? start : `${start}${escapeHtml(text)}</${name}>`
}

function pack(page: string): SentPage {
  const html = Buffer.from(page)
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
  return {
    html,
    brotli: brotliCompressSync(html, { params }),
    etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`,
  }
}

/** Null if the build has produced none: then each page is the bare web app. */
async function loadRenderer(folder: string): Promise<RenderPage | null> {
  const file = join(folder, RENDERER_FOLDER, 'server-static-page.js')
  if (!existsSync(file)) return null
  const built: unknown = await import(pathToFileURL(file).href)
  const isRight = typeof built === 'object' && built !== null && 'renderPage' in built
  invariant(isRight && typeof built.renderPage === 'function', `${file} must export renderPage.`)
  return built.renderPage as RenderPage
}
