import { type Claim, renewClaim } from '#server/database/books/outbox.ts'
import type { Services } from '#server/services.ts'

/** So long after an instance has died another one takes over what it had under way. */
const CLAIM_MS = 6_000
const RENEW_EVERY_MS = 2_000

export type HeldMail = {
  /** Aborts once somebody else may have the mail. */
  lost: AbortSignal
  /** True where the mail is held, as the database says at this moment. */
  confirm(): Promise<boolean>
  letGo(): void
}

/** A claim of its own for each mail that is taken, so that a later one is never mistaken for it. */
export function newClaim({ clock, random }: Services): Claim {
  return { owner: random.id(), until: new Date(clock.now().getTime() + CLAIM_MS) }
}

/**
 * Renews a claim for as long as its mail is being sent. A process that stood still finds the claim
 * run out by the clock and breaks off at once, before it has asked anybody.
 */
export function holdMail(services: Services, mailId: bigint, { owner, until }: Claim): HeldMail {
  const losing = new AbortController()
  let heldUntil = until

  const isRunOut = () => services.clock.now() >= heldUntil
  const confirm = async () => {
    if (isRunOut()) losing.abort()
    if (losing.signal.aborted) return false
    const next = { ...newClaim(services), owner }
    if (await renewClaim(services.database, mailId, next)) heldUntil = next.until
    else losing.abort()
    // The answer may have waited while the process stood still.
    return !losing.signal.aborted && !isRunOut()
  }
  const timer = setInterval(() => {
    // While the database is away nobody can take the mail; the claim still runs out.
    confirm().catch(() => {})
  }, RENEW_EVERY_MS)
  return { lost: losing.signal, confirm, letGo: () => clearInterval(timer) }
}
