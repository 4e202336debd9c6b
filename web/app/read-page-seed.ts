import * as z from 'zod/mini'
import { PAGE_SEED_ID, PageSeed } from '#contract/page-seed.ts'

/** What the server sent the page along with; null in development, where it sends no pages. */
export function readPageSeed(): PageSeed | null {
  const text = document.getElementById(PAGE_SEED_ID)?.textContent
  if (text === undefined || text === null) return null
  try {
    const parsed = z.safeParse(PageSeed, JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
