import { Refusal } from '#domain/refusal.ts'
import type { Services } from '#server/services.ts'

/** The sandbox's calls do not exist unless the server runs as one. */
export function requireSandbox({ settings }: Pick<Services, 'settings'>): void {
  if (!settings.isSandbox) throw new Refusal('NotFound')
}
