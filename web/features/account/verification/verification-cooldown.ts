import { startCooldown } from '#web/lib/use-cooldown.ts'

/** Specification section 9. */
const COOLDOWN_SECONDS = 60

/** Each user has their own pause between two verification mails. */
export function verificationCooldown(userId: string): string {
  return `verification mail of ${userId}`
}

export function startVerificationCooldown(userId: string, seconds = COOLDOWN_SECONDS) {
  startCooldown(verificationCooldown(userId), seconds)
}
