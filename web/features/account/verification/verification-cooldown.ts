import { startCooldown } from '#web/lib/use-cooldown.ts'

/** Specification section 9. */
const COOLDOWN_SECONDS = 60

/** The pause between two verification mails is each user's own. */
export function verificationCooldown(userId: string): string {
  return `verification mail of ${userId}`
}

export function startVerificationCooldown(userId: string, seconds = COOLDOWN_SECONDS) {
  startCooldown(verificationCooldown(userId), seconds)
}
