import { keptInTab } from '#web/lib/persisted.ts'

const NAME = 'referral'

/**
 * The id of the user whose link was followed last in this tab. Whoever follows one may look at
 * other pages first: `before-paint.js` keeps it before any of them can be opened.
 */
export function readReferral(): string | undefined {
  const kept = keptInTab.read(NAME)
  return kept === null ? undefined : String(kept)
}

/** The link has done its work: whoever registers next in this tab came by themselves. */
export function dropReferral() {
  keptInTab.remove(NAME)
}
