/** The events that webhooks can send to other software, each with when it happens. */
export const webhookEventTexts = {
  'purchase.created': 'A purchase was made and is waiting for its payment',
  'purchase.pending': 'A purchase is waiting again, since the chain took its payment back',
  'purchase.processing': 'A payment was seen and is being confirmed',
  'purchase.completed': 'A purchase was paid and its tokens are credited',
  'purchase.failed': 'A purchase failed',
  'purchase.expired': 'A purchase was not paid in time',
  'refund.owed': 'Money is owed back, or a different amount than before',
  'refund.paid': 'A refund was marked as paid',
  'refund_claim.claimed': 'A buyer asked for what is owed back, at an address',
  'refund_claim.approved': 'A claim was approved: what it asks for is promised',
  'refund_claim.confirmed': 'A claim was paid, and its chain has confirmed it',
  'stage.opened': 'A stage is on sale for the first time',
  'stage.sold_out': 'All tokens of a stage are sold',
  'sale.paused': 'The sale was paused, by a person or by the guard',
  'sale.resumed': 'A paused sale was resumed',
  'approval.waiting': 'An act is waiting for a second person',
  'user.registered': 'Somebody registered',
} as const

export type WebhookEvent = keyof typeof webhookEventTexts

export const webhookEvents = Object.keys(webhookEventTexts) as readonly WebhookEvent[]

/** The event that is sent by hand to see whether an endpoint works. */
export const TEST_EVENT = 'webhook.test'
