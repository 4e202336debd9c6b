import type { LostPayment } from '#server/ports/gateway-record.ts'
import type { GatewayOptions } from './gateway-api.ts'
import { whyOf } from '#domain/unavailable.ts'

const CLAIM_MAX = 5
const CLAIM_MS = 60_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * Looks for payments whose reply was lost. Nobody was shown their address, but a payment that was
 * made can still be paid, through the gateway's own pages or mails. If one is found, it is asked
 * about like any other. If the gateway has none an hour later, none was made.
 */
export async function lookForLost(options: GatewayOptions, now: Date): Promise<void> {
  const lost = await options.record.claimLost(now, CLAIM_MAX, CLAIM_MS)
  for (const each of lost) await lookFor(options, each, now)
}

async function lookFor(
  { name, api, paymentTokens, record, log }: GatewayOptions,
  lost: LostPayment,
  now: Date,
): Promise<void> {
  const { purchaseId, paymentTokenId, createdAt } = lost
  const ageMs = now.getTime() - createdAt.getTime()
  const again = new Date(now.getTime() + (ageMs < HOUR_MS ? 5 * MINUTE_MS : HOUR_MS))
  const code = paymentTokens.find(({ id }) => id === paymentTokenId)?.providerIds[name] ?? null
  try {
    const made = await api.find({ purchaseId, code, createdAt })
    if (made === null) return await record.postpone(lost, ageMs < HOUR_MS ? again : null)
    await record.found(lost, made)
    const facts = { gateway: name, purchaseId, paymentId: made.paymentId }
    log.warn(facts, 'A payment whose answer was lost had been made: no buyer was shown its address')
  } catch (error) {
    const why = whyOf(error)
    const facts = { gateway: name, purchaseId, why }
    log.warn(
      facts,
      'A payment whose answer was lost cannot be looked for. Look for it at the gateway yourself',
    )
    await record.postpone(lost, again)
  }
}
