import type { Banner, Project } from './shapes.ts'

/** What a page is sent along with, so that it can be shown before it has called anything. */
export type PageSeed = { project: Project; banners: Banner[] }

/** The languages that pages are rendered in; a visitor reads the first until one is chosen. */
export const pageLanguages = ['en', 'de'] as const
export type PageLanguage = (typeof pageLanguages)[number]

/**
 * The cookie by which the page tells the server that another language was chosen, such as `de`; the
 * server sets none.
 */
export const LANGUAGE_COOKIE = 'language'

/** The id of the element of a page that holds its seed, as JSON. */
export const PAGE_SEED_ID = 'seed'

/** What a page is before any script has run. */
export type RenderedPage = {
  /** Plain text, such as 'Info · HUH Token presale'. */
  title: string
  description: string
  /** Where code and texts of the page begin, below web/: what it needs before it can answer. */
  sources: string[]
  /** A word to who has no scripts; empty for a page that can be read without. */
  note: string
  /** The whole page as a visitor sees it at first; empty where it is shown by its scripts alone. */
  html: string
}

/**
 * What the build of the web app leaves for the server: the page at a path, and the page for a wrong
 * address where the path is null. Throws nothing.
 */
export type RenderPage = (
  path: string | null,
  seed: PageSeed,
  language: PageLanguage,
) => RenderedPage
