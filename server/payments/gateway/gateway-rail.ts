import { createHealthMonitor, type HealthMonitor } from '#server/payments/chains/chain-health.ts'
import { createPacing } from '#server/payments/chains/pacing.ts'
import { readWithin } from '#server/payments/chains/read-within.ts'
import { Unavailable, whyOf } from '#domain/unavailable.ts'
import type { AddressRequest, ChainReading, PaymentAddress, Rail } from '#server/ports/rail.ts'
import { askDue } from './ask-due.ts'
import { lookForLost } from './look-for-lost.ts'
import { ApiRefused, type GatewayOptions } from './gateway-api.ts'

const READING_WAIT_MS = 4_000
const GREETING_EVERY_MS = 60_000
const BEHIND = 'It is behind its chain, so that payments may be missing'
/** The API key is wrong or lacks the permission. */
const LOCKED_OUT = new Set([401, 403])

/** Whether the gateway itself said no to this request, and would not to every other. */
const isAnswer = (error: unknown) =>
  error instanceof ApiRefused && error.isByGateway && !LOCKED_OUT.has(error.status)

/**
 * Takes payments through a gateway. Its answers are stored first and reported from there; webhooks
 * only trigger a question. Each deposit is credited at its own value once the gateway confirms it:
 * the status of the payment as a whole credits nothing.
 */
export function createGatewayRail(options: GatewayOptions): Rail {
  const { name, record, clock, log } = options
  // What is due is looked up at each call, so that a payment named by a webhook is asked about at
  // once.
  const pacing = createPacing({ ...options.pace, everyMs: 0 })
  const symbols = options.paymentTokens.map(({ symbol }) => symbol)
  const health = createHealthMonitor({ chain: name, symbols, log })
  let readThrough = new Date(0)
  let isBehind = false
  /** No greeting proves that what failed about a payment works again. */
  let paymentFault: string | null = null
  const isGreeted = createGreeting(options, health)
  const unchanged = (cursor: string): ChainReading => {
    return { cursor, height: 0n, readThrough, transfers: [] }
  }

  async function read(cursor: string | null): Promise<ChainReading> {
    if (pacing.isDue()) {
      const now = clock.now()
      const { isAnythingAsked, why, chains } = await askDue(options, now)
      const hasCaughtUp = isBehind && !chains.isBehind
      isBehind = chains.isBehind
      if (isAnythingAsked) paymentFault = why
      if (why === null) {
        await lookForLost(options, now)
        pacing.noteSuccess(1)
      } else pacing.noteFailure()
      const isRead =
        paymentFault === null && (isAnythingAsked || (await isGreeted(now, hasCaughtUp)))
      const fault = paymentFault ?? (isBehind ? BEHIND : null)
      if (isRead && !chains.mayLackPayments) readThrough = now
      if (fault !== null) health.markUnhealthy(fault)
      else if (isRead) health.markHealthy()
    }
    const changes = await record.changesAfter(BigInt(cursor ?? 0))
    for (const paymentId of changes.unmatchedPaymentIds) {
      log.error(
        { gateway: name, paymentId },
        'Money has arrived for a purchase that was never made',
      )
    }
    return { ...unchanged(String(changes.revision)), transfers: changes.transfers }
  }
  const readInTime = readWithin(READING_WAIT_MS, read, unchanged)

  return {
    name,
    chains: [name],
    chainOf: () => name,
    // The gateway counts blocks itself.
    requiredConfirmations: () => 1,
    graceMs: () => options.graceMs ?? 0,
    createAddress: async (request) => {
      const made = await createAddress(options, request, (why) => {
        paymentFault = why
        health.markUnhealthy(why)
      })
      paymentFault = null
      if (!isBehind) health.markHealthy()
      return made
    },
    read: (_chain, cursor) => readInTime(cursor),
    health: health.current,
    // A gateway identifies a deposit by its own payment.
    hashOf: () => null,
    explorerUrl: () => null,
    ...(options.minimum && { minimum: options.minimum }),
    webhook: { read: options.readWebhook, follow: (hint) => record.follow(hint, clock.now()) },
  }
}

/**
 * Whether the gateway answers where there is no payment to ask about: once a minute it is asked for
 * something else, since otherwise nobody would notice a wrong key before the first buyer does.
 */
function createGreeting({ api }: GatewayOptions, health: HealthMonitor) {
  let askedAt = Number.NEGATIVE_INFINITY
  return async (now: Date, isDue: boolean): Promise<boolean> => {
    const { readAgoMs, fault } = health.current()
    const isLately = Math.abs(now.getTime() - askedAt) < GREETING_EVERY_MS
    if (isLately && !isDue) return readAgoMs !== null && fault === null
    askedAt = now.getTime()
    try {
      await api.greet()
      return true
    } catch (error) {
      // Some accounts lack what is asked for.
      if (isAnswer(error)) return true
      health.markUnhealthy(whyOf(error))
      return false
    }
  }
}

async function createAddress(
  { name, api, record, clock, log }: GatewayOptions,
  request: AddressRequest,
  noteFault: (why: string) => void,
): Promise<PaymentAddress> {
  const { purchaseId, paymentToken } = request
  await record.begin(purchaseId, paymentToken.id, clock.now())
  const made = await api
    .create(request, paymentToken.providerIds[name] ?? '')
    .catch(async (error: unknown) => {
      const why = whyOf(error)
      const isLost = !(error instanceof ApiRefused)
      if (!isAnswer(error)) noteFault(why)
      if (!isLost) await record.refused(purchaseId)
      log.warn(
        { gateway: name, purchaseId, why },
        isLost
          ? 'A payment was requested and no answer came: there may be one that no buyer is shown'
          : 'A payment was refused',
      )
      throw error
    })
  if (!(await record.made(purchaseId, made))) {
    throw new Unavailable(`${name} gave an address that it had given before`)
  }
  return { address: made.address, paymentId: made.paymentId, derivationIndex: null }
}
