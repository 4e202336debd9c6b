import * as z from 'zod/mini'

import { keyPermissions, permissions } from '#domain/operators/permissions.ts'
import { webhookEvents } from '#domain/operators/webhook-events.ts'
import { Instant, trimmedUpTo } from '#contract/values.ts'
import { Id } from '#contract/shapes.ts'
import { inState, ItemParams, NumberId, operatorAct, operatorRead, pageFrom } from './shapes.ts'

const deliveryStates = ['waiting', 'delivered', 'given_up'] as const

export const WebhookEndpoint = z.object({
  id: Id,
  url: z.string(),
  description: z.string(),
  events: z.array(z.enum(webhookEvents)),
  /** `failing`: an event was given up, and none has arrived since. */
  state: z.enum(['working', 'failing', 'disabled']),
  /** Since when it has been in that state; null if it works. */
  state_date: z.nullable(Instant),
  /** By a person, or because it answered with 410 (gone); null if it is not disabled. */
  disabled_by: z.nullable(z.enum(['operator', 'receiver'])),
  waiting: z.int(),
  last_delivered_date: z.nullable(Instant),
  /** Until when the previous secret also signs; null if it does not. */
  former_secret_until_date: z.nullable(Instant),
  created_date: Instant,
})
export type WebhookEndpoint = z.output<typeof WebhookEndpoint>

/** An event that is being, or was, sent to an endpoint. */
export const WebhookDelivery = z.object({
  id: z.string(),
  endpoint_id: Id,
  /** The header `webhook-id` of every attempt. */
  message_id: Id,
  type: z.string(),
  event_date: Instant,
  /** The body as it is sent. */
  payload: z.string(),
  /** `given_up`: it failed for three days, or its receiver was gone. */
  state: z.enum(deliveryStates),
  attempts: z.int(),
  last_attempt_date: z.nullable(Instant),
  /** The HTTP status of the last reply; null if there was none. */
  last_status: z.nullable(z.int()),
  last_fault: z.nullable(z.string()),
  /** Null: at once, or not again. */
  next_attempt_date: z.nullable(Instant),
  delivered_date: z.nullable(Instant),
})
export type WebhookDelivery = z.output<typeof WebhookDelivery>

/** A key for other software; the key itself is shown once. */
export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  prefix: z.string(),
  permissions: z.array(z.enum(permissions)),
  state: z.enum(['active', 'expired', 'ended']),
  /** Null if it was made with the server’s token. */
  made_by: z.nullable(z.string()),
  created_date: Instant,
  expires_date: Instant,
  last_used_date: z.nullable(Instant),
  /** When it was ended by hand, or its maker was removed. */
  ended_date: z.nullable(Instant),
})
export type ApiKey = z.output<typeof ApiKey>

const Url = trimmedUpTo(2000, 'Give the address to send to')
const Description = z
  .string({ error: 'Must be a text' })
  .check(z.trim(), z.maxLength(200, { error: 'Must be at most 200 characters' }))
const EVENTS_FAULT = `Choose from: ${webhookEvents.join(', ')}`
const Events = z
  .array(z.enum(webhookEvents, { error: EVENTS_FAULT }), { error: EVENTS_FAULT })
  .check(
    z.minLength(1, { error: 'Choose at least one event' }),
    z.maxLength(webhookEvents.length, { error: 'Name each event once' }),
  )
const KEY_NAME_FAULT = 'Say what the key is for, in 1 to 100 characters'
const PERMISSIONS_FAULT = `Choose from: ${keyPermissions.join(', ')}`

const DeliveryId = NumberId('Must be the id of a delivery')
const WithSecret = z.object({
  endpoint: WebhookEndpoint,
  /** `whsec_…`: signs what is sent. Shown only this once. */
  secret: z.string(),
})

/** Connecting other software: webhooks (Standard Webhooks 1.0) and API keys. */
export const connectionsContract = {
  listWebhooks: operatorRead({
    path: '/operator/webhooks',
    permission: 'connections.manage',
    summary: 'Lists the endpoints that webhooks are sent to, and their states.',
    result: z.object({ data: z.array(WebhookEndpoint) }),
  }),
  createWebhook: operatorAct({
    path: '/operator/webhooks/create',
    permission: 'connections.manage',
    summary:
      'Sends the chosen events to an address from now on. Its secret is shown only this once.',
    body: z.strictObject({
      url: Url,
      events: Events,
      description: z._default(Description, ''),
    }),
    status: 201,
    result: WithSecret,
    errors: ['ConnectionLimitReached'],
  }),
  changeWebhook: operatorAct({
    path: '/operator/webhooks/{id}/change',
    permission: 'connections.manage',
    summary: 'Changes the address, events or description of an endpoint; what is left out stays.',
    params: ItemParams,
    body: z.strictObject({
      url: z.optional(Url),
      events: z.optional(Events),
      description: z.optional(Description),
    }),
    result: WebhookEndpoint,
  }),
  enableWebhook: operatorAct({
    path: '/operator/webhooks/{id}/enable',
    permission: 'connections.manage',
    summary: 'Enables a disabled endpoint; it first gets what was on its way when it was disabled.',
    params: ItemParams,
    result: WebhookEndpoint,
  }),
  disableWebhook: operatorAct({
    path: '/operator/webhooks/{id}/disable',
    permission: 'connections.manage',
    summary:
      'Disables an endpoint: it gets nothing until it is enabled, and events until then are not ' +
      'kept.',
    params: ItemParams,
    result: WebhookEndpoint,
  }),
  rotateWebhookSecret: operatorAct({
    path: '/operator/webhooks/{id}/rotate',
    permission: 'connections.manage',
    summary:
      'Gives an endpoint a new secret, shown only this once; the old one also signs for 24 hours, ' +
      'and the one before that no longer.',
    params: ItemParams,
    result: WithSecret,
  }),
  testWebhook: operatorAct({
    path: '/operator/webhooks/{id}/test',
    permission: 'connections.manage',
    summary: 'Sends an event of type webhook.test to an endpoint.',
    params: ItemParams,
    result: WebhookDelivery,
    errors: ['WebhookDisabled'],
  }),
  endWebhook: operatorAct({
    path: '/operator/webhooks/{id}/end',
    permission: 'connections.manage',
    summary: 'Removes an endpoint for good, with everything that was on its way to it.',
    params: ItemParams,
  }),
  listDeliveries: operatorRead({
    path: '/operator/webhooks/{id}/deliveries',
    permission: 'connections.manage',
    summary: 'Lists what was or is being sent to an endpoint, in the last 30 days, newest first.',
    params: ItemParams,
    query: z.strictObject({
      state: inState(deliveryStates),
      ...pageFrom(DeliveryId),
    }),
    result: z.object({ data: z.array(WebhookDelivery), after: z.nullable(z.string()) }),
  }),
  redeliver: operatorAct({
    path: '/operator/webhooks/deliveries/{id}/redeliver',
    permission: 'connections.manage',
    summary: 'Sends an event to its endpoint again, with the same id.',
    params: ItemParams,
    result: WebhookDelivery,
    errors: ['WebhookDisabled'],
  }),
  listKeys: operatorRead({
    path: '/operator/keys',
    permission: 'connections.manage',
    summary: 'Lists the API keys, newest first, including those that have ended.',
    result: z.object({ data: z.array(ApiKey) }),
  }),
  createKey: operatorAct({
    path: '/operator/keys/create',
    permission: 'connections.manage',
    summary:
      'Creates an API key with no more permissions than its maker has. It is shown only this once.',
    body: z.strictObject({
      /** What it is for. */
      name: trimmedUpTo(100, KEY_NAME_FAULT, KEY_NAME_FAULT),
      permissions: z
        .array(z.enum(keyPermissions, { error: PERMISSIONS_FAULT }), { error: PERMISSIONS_FAULT })
        .check(
          z.minLength(1, { error: 'Choose at least one permission' }),
          z.maxLength(keyPermissions.length, { error: 'Name each permission once' }),
        ),
      /** After how many days it expires: at most a year. */
      days: z
        .int({ error: 'Must be a number of days' })
        .check(
          z.minimum(1, { error: 'Must be at least 1 day' }),
          z.maximum(366, { error: 'Must be at most 366 days' }),
        ),
    }),
    status: 201,
    result: z.object({
      key: ApiKey,
      /** `presale_…`: the key itself. Shown only this once. */
      secret: z.string(),
    }),
    errors: ['ConnectionLimitReached'],
  }),
  endKey: operatorAct({
    path: '/operator/keys/{id}/end',
    permission: 'connections.manage',
    summary: 'Ends an API key at once, for good.',
    params: ItemParams,
    result: ApiKey,
  }),
}
