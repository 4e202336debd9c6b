import { insertChallenge, takeChallenge } from '#server/database/operators/passkeys.ts'
import type { ChallengePurpose } from '#server/database/tables/operator-tables.ts'
import type { TakeChallenge } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { hashToken } from '#server/use-cases/access/session-tokens.ts'

const TTL_MS = 5 * 60_000

/** What a challenge is for; it is not accepted for anything else. */
export type ChallengeUse = {
  purpose: ChallengePurpose
  /** The invitation or the session that it was made for; null for a sign-in. */
  boundTo: string | null
}

/** A new challenge for an authenticator to sign: 32 random bytes as base64url, valid once. */
export async function makeChallenge(services: Services, use: ChallengeUse): Promise<string> {
  const { clock, database, random } = services
  const challenge = random.token()
  const expiresAt = new Date(clock.now().getTime() + TTL_MS)
  await insertChallenge(database, { ...use, hash: hashToken(challenge), expiresAt })
  return challenge
}

/** Uses a challenge up, even if its answer then turns out to be wrong. */
export function takingChallenge({ clock, database }: Services, use: ChallengeUse): TakeChallenge {
  return (challenge) => takeChallenge(database, { ...use, hash: hashToken(challenge) }, clock.now())
}
