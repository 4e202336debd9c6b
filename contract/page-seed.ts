import * as z from 'zod/mini'
import { Banner, Project } from './shapes.ts'

/** What a page is sent along with, so that it can be shown before it has called anything. */
export const PageSeed = z.object({ project: Project, banners: z.array(Banner) })
export type PageSeed = z.output<typeof PageSeed>

/** The id of the element of a page that holds its seed, as JSON. */
export const PAGE_SEED_ID = 'seed'

/** What a page is before any script has run. */
export type RenderedPage = {
  /** Plain text, such as 'Info · HUH Token presale'. */
  title: string
  description: string
  /** The whole page for those that can be read without scripts; else a word to who has none. */
  html: string
}

/**
 * What the build of the web app leaves for the server: the page at a path, and the page for a wrong
 * address where the path is null. Throws nothing.
 */
export type RenderPage = (path: string | null, seed: PageSeed) => RenderedPage
