import type { PageLanguage } from './language.ts'
import type { ListedStage } from './sale-page-shapes.ts'
import type { Banner, Project } from './shapes.ts'

/** Data sent with a page, so that the page can be shown before any call. */
export type PageSeed = { project: Project; banners: Banner[]; stages: ListedStage[] }

/** The cookie with the chosen language, such as `de`. Only the page sets it. */
export const LANGUAGE_COOKIE = 'language'

/** The id of the element of a page that holds its seed, as JSON. */
export const PAGE_SEED_ID = 'seed'

/**
 * Marks the element around a page that is sent for a logged-in user, before it is known who that
 * is: it contains nothing that belongs to a user, and visitors do not see it.
 */
export const FRAME_ATTRIBUTE = 'data-frame'

/** A page before any script has run. */
export type RenderedPage = {
  /** Plain text, such as 'Info · HUH Token presale'. */
  title: string
  description: string
  /** The sources below web/ that the page needs before it is interactive. */
  sources: string[]
  /** What it also needs if somebody is logged in, and if nobody is. */
  sourcesOf: { user: string[]; visitor: string[] }
  /** A note for visitors without scripts; empty for a page that is readable without them. */
  note: string
  /** The rendered page; empty if only its scripts can show it. */
  html: string
}

/**
 * The build’s renderer: the page at a path, or the page for a wrong address if the path is null.
 * Never throws.
 */
export type RenderPage = (
  path: string | null,
  seed: PageSeed,
  language: PageLanguage,
) => RenderedPage
