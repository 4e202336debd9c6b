import { type Claim, renewClaim } from '#server/database/books/outbox.ts'
import type { Services } from '#server/services.ts'

/** How long after an instance has died another one takes over its mails. */
const CLAIM_MS = 6_000
const RENEW_EVERY_MS = 2_000

export type HeldMail = {
  /** Aborts once another instance may have the mail. */
  lost: AbortSignal
  /** Whether the mail is still held, according to the database at this moment. */
  confirm(): Promise<boolean>
  letGo(): void
}

/** Each mail gets a new owner id, so that a claim is never mistaken for a later one. */
export function newClaim({ clock, random }: Services): Claim {
  return { owner: random.id(), until: new Date(clock.now().getTime() + CLAIM_MS) }
}

/**
 * Renews a claim for as long as its mail is being sent. A process that was suspended sees from the
 * clock that its claim has expired, and stops at once without asking the database.
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
    // The process may have been suspended while it waited for the reply.
    return !losing.signal.aborted && !isRunOut()
  }
  const timer = setInterval(() => {
    // While the database is away, nobody can take the mail; the claim still expires.
    confirm().catch(() => {})
  }, RENEW_EVERY_MS)
  return { lost: losing.signal, confirm, letGo: () => clearInterval(timer) }
}
