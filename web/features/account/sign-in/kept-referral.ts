import { useEffect } from 'react'
import { keptInTab } from '#web/lib/persisted.ts'

const NAME = 'referral'

/** Whoever follows a link to the registration may look at other pages first; the link is kept. */
export function useKeptReferral(referral: string | undefined) {
  useEffect(() => {
    if (referral !== undefined) keptInTab.write(NAME, referral)
  }, [referral])
}

/** The id of the user whose link was followed last in this tab. */
export function readReferral(): string | undefined {
  const kept = keptInTab.read(NAME)
  return kept === null ? undefined : String(kept)
}

/** The link has done its work: whoever registers next in this tab came by themselves. */
export function dropReferral() {
  keptInTab.remove(NAME)
}
