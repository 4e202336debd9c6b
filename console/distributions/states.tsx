import type { DistributionState } from '#domain/delivery/distribution.ts'
import { StateChip, type StateLook } from '#console/kit/values.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'

const looks: Record<DistributionState, StateLook> = {
  made: ['warning', 'To publish'],
  published: ['info', 'Published'],
  closed: ['success', 'Closed'],
  withdrawn: ['neutral', 'Withdrawn'],
}

interface DistributionChipProps {
  state: DistributionState
  /** True if somebody has asked for an act on it, which waits for a second person. */
  isAsked?: boolean
}

export function DistributionChip({ state, isAsked = false }: DistributionChipProps) {
  if (state === 'made' && isAsked) return <Chip tone="info">Waits for a second person</Chip>
  return <StateChip look={looks[state]} />
}
