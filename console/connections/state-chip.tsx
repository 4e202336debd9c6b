import type { ApiKey, WebhookDelivery, WebhookEndpoint } from '#contract/operator/connections.ts'
import { StateChip, type StateLook } from '#console/kit/values.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'

const endpointStates: Record<WebhookEndpoint['state'], StateLook> = {
  working: ['success', 'Working'],
  failing: ['error', 'Failing'],
  disabled: ['neutral', 'Disabled'],
}

const deliveryStates: Record<WebhookDelivery['state'], StateLook> = {
  waiting: ['info', 'Waiting'],
  delivered: ['success', 'Delivered'],
  given_up: ['error', 'Given up'],
}

const keyStates: Record<ApiKey['state'], StateLook> = {
  active: ['success', 'Active'],
  expired: ['warning', 'Expired'],
  ended: ['neutral', 'Ended'],
}

export const EndpointState = ({ state }: Pick<WebhookEndpoint, 'state'>) => (
  <StateChip look={endpointStates[state]} />
)

export const KeyState = ({ state }: Pick<ApiKey, 'state'>) => <StateChip look={keyStates[state]} />

/** A delivery that has failed before is not merely waiting. */
export function DeliveryState({ state, attempts }: Pick<WebhookDelivery, 'state' | 'attempts'>) {
  if (state === 'waiting' && attempts > 0) return <Chip tone="warning">Trying again</Chip>
  return <StateChip look={deliveryStates[state]} />
}
