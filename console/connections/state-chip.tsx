import type { ApiKey, WebhookDelivery, WebhookEndpoint } from '#contract/operator/connections.ts'
import { Chip } from '#web/ui/feedback/chip.tsx'
import type { Tone } from '#web/ui/style/tone.tsx'

const endpointStates: Record<WebhookEndpoint['state'], [tone: Tone, text: string]> = {
  working: ['success', 'Working'],
  failing: ['error', 'Failing'],
  disabled: ['neutral', 'Disabled'],
}

const deliveryStates: Record<WebhookDelivery['state'], [tone: Tone, text: string]> = {
  waiting: ['info', 'Waiting'],
  delivered: ['success', 'Delivered'],
  given_up: ['error', 'Given up'],
}

const keyStates: Record<ApiKey['state'], [tone: Tone, text: string]> = {
  active: ['success', 'Active'],
  expired: ['warning', 'Expired'],
  ended: ['neutral', 'Ended'],
}

const chipOf = ([tone, text]: [tone: Tone, text: string]) => <Chip tone={tone}>{text}</Chip>

export const EndpointState = ({ state }: Pick<WebhookEndpoint, 'state'>) =>
  chipOf(endpointStates[state])

export const KeyState = ({ state }: Pick<ApiKey, 'state'>) => chipOf(keyStates[state])

/** A delivery that has failed before is not merely waiting. */
export function DeliveryState({ state, attempts }: Pick<WebhookDelivery, 'state' | 'attempts'>) {
  if (state === 'waiting' && attempts > 0) return <Chip tone="warning">Trying again</Chip>
  return chipOf(deliveryStates[state])
}
