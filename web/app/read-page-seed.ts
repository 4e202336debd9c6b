import { PAGE_SEED_ID, type PageSeed } from '#contract/page-seed.ts'

/**
 * What the server sent the page along with; null in development, where it sends no pages. It is not
 * checked as replies are: it comes in one piece with the address of the code that reads it.
 */
export function readPageSeed(): PageSeed | null {
  const text = document.getElementById(PAGE_SEED_ID)?.textContent
  if (text === undefined || text === null) return null
  try {
    return JSON.parse(text) as PageSeed
  } catch {
    return null
  }
}
