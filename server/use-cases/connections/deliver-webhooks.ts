import {
  claimDelivery,
  type ClaimedDelivery,
  type FailedAttempt,
  listDueEndpoints,
  markAttemptFailed,
  markDelivered,
  releaseDelivery,
} from '#server/database/connections/webhook-deliveries.ts'
import { lockEndpoint, updateEndpoint } from '#server/database/connections/webhook-endpoints.ts'
import type { Services } from '#server/services.ts'
import { recordAction, theServer } from '#server/use-cases/audit/record-action.ts'
import { webhookBody } from './webhook-body.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The pause after each attempt before the next one: three days in all. */
export const RETRY_AFTER_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  20 * HOUR_MS,
]

/** Longer than an attempt may take: another instance takes over this long after one has died. */
const CLAIM_MS = 30 * SECOND_MS
/** How many events go to one endpoint at a time. */
const LANES = 4
const HTTP_GONE = 410

export type WebhookDelivery = {
  /** Starts the queue of each endpoint that has something to send, and returns. */
  step(): Promise<void>
  /** Waits until the started queues have sent everything that is due. */
  settled(): Promise<void>
  /** Breaks off what is being sent, which is then sent again, and waits until that has ended. */
  stop(): Promise<void>
}

/**
 * Sends webhooks. Each endpoint has its own queue, so a slow or broken endpoint delays no other;
 * after a failure its queue rests until the next step. Delivery is at least once: if a receiver's
 * confirmation is lost, it gets the event again, with the same id.
 */
export function createWebhookDelivery(services: Services): WebhookDelivery {
  const running = new Map<string, Promise<unknown>>()
  const stopping = new AbortController()
  const settled = async () => {
    await Promise.all(running.values())
  }
  return {
    async step() {
      const now = services.clock.now()
      for (const id of await listDueEndpoints(services.database, now)) {
        if (running.has(id) || stopping.signal.aborted) continue
        const queue = runQueue(services, id, stopping.signal)
          .catch((fault: unknown) => {
            services.log.error({ endpoint: id, fault }, 'The queue of a webhook failed')
          })
          .finally(() => running.delete(id))
        running.set(id, queue)
      }
    },
    settled,
    async stop() {
      stopping.abort()
      await settled()
    },
  }
}

async function runQueue(services: Services, endpointId: string, stop: AbortSignal): Promise<void> {
  let isResting = false
  const lane = async () => {
    while (!isResting && !stop.aborted) {
      const now = services.clock.now()
      const claim = { owner: services.random.id(), until: new Date(now.getTime() + CLAIM_MS) }
      const delivery = await claimDelivery(services.database, endpointId, claim, now)
      if (delivery === null) return
      if (!(await deliver(services, delivery, claim.owner, stop))) isResting = true
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

/** True if it has arrived. */
async function deliver(
  services: Services,
  delivery: ClaimedDelivery,
  owner: string,
  stop: AbortSignal,
): Promise<boolean> {
  const { database, clock } = services
  const answer = await send(services, delivery, stop).catch((fault: unknown) => ({ fault }))
  if ('status' in answer && answer.status >= 200 && answer.status < 300) {
    const { status } = answer
    await database
      .transaction()
      .execute((transaction) => markDelivered(transaction, delivery, { now: clock.now(), status }))
    return true
  }
  if (stop.aborted) await releaseDelivery(database, delivery, owner)
  else await putBack(services, delivery, owner, answer)
  return false
}

async function send(
  { webhookSender, webhookSigner, clock }: Services,
  { endpointId, url, sealedSecrets: sealed, event }: ClaimedDelivery,
  stop: AbortSignal,
) {
  const body = webhookBody(event)
  const timestamp = Math.floor(clock.now().getTime() / SECOND_MS)
  const id = event.messageId
  const signature = webhookSigner.sign({ endpointId, sealed, id, timestamp, body })
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  }
  return await webhookSender.post({ url, headers, body, stop })
}

async function putBack(
  services: Services,
  delivery: ClaimedDelivery,
  owner: string,
  answer: { status: number } | { fault: unknown },
): Promise<void> {
  const { database, clock, log } = services
  const now = clock.now()
  const status = 'status' in answer ? answer.status : null
  const isGone = status === HTTP_GONE
  const waitMs = isGone ? undefined : RETRY_AFTER_MS[delivery.attempts - 1]
  const nextAttemptAt = waitMs === undefined ? null : new Date(now.getTime() + waitMs)
  const failed: FailedAttempt = { status, fault: sentenceOf(answer), nextAttemptAt }
  const facts = { endpoint: delivery.endpointId, event: delivery.event.messageId, ...failed }
  const isCounted = await database.transaction().execute(async (transaction) => {
    const endpoint = await lockEndpoint(transaction, delivery.endpointId)
    if (endpoint === null) return false
    // What its former address answers says nothing about an endpoint.
    if (endpoint.url !== delivery.url) {
      await releaseDelivery(transaction, delivery, owner)
      return false
    }
    if (!(await markAttemptFailed(transaction, delivery, owner, failed))) return false
    if (nextAttemptAt !== null) return true
    // Of several events at once that are told that it is gone, the first one has disabled it.
    const isDisabled = isGone && endpoint.disabled_at === null
    await updateEndpoint(transaction, delivery.endpointId, {
      failing_since: endpoint.failing_since ?? now,
      ...(isDisabled && { disabled_at: now, disabled_by: 'receiver' }),
    })
    if (!isDisabled) return true
    await recordAction(services, transaction, theServer, {
      act: 'disableWebhook',
      details: { endpoint: delivery.endpointId, reason: 'It answered that it is gone (410)' },
    })
    return true
  })
  if (!isCounted) return
  if (isGone) log.warn(facts, 'A webhook’s receiver is gone, so its endpoint was disabled')
  else if (nextAttemptAt === null) log.warn(facts, 'A webhook was given up after three days')
  else log.info(facts, 'A webhook could not be delivered yet')
}

function sentenceOf(answer: { status: number } | { fault: unknown }): string {
  if ('fault' in answer) {
    return answer.fault instanceof Error ? answer.fault.message : String(answer.fault)
  }
  const { status } = answer
  if (status === HTTP_GONE) return 'Answered that it is gone (410)'
  if (status >= 300 && status < 400) {
    return (
      `Answered with a redirect (${status}), which is not followed. Give the address that it ` +
      'leads to'
    )
  }
  return `Answered with status ${status}`
}
