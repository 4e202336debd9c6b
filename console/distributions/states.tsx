import type { DistributionState } from '#domain/delivery/distribution.ts'
import { Chip } from '#web/ui/feedback/chip.tsx'
import type { Tone } from '#web/ui/style/tone.tsx'

const looks: Record<DistributionState, { tone: Tone; label: string }> = {
  made: { tone: 'warning', label: 'To publish' },
  published: { tone: 'info', label: 'Published' },
  closed: { tone: 'success', label: 'Closed' },
  withdrawn: { tone: 'neutral', label: 'Withdrawn' },
}

interface DistributionChipProps {
  state: DistributionState
  /** True if somebody has asked for an act on it, which waits for a second person. */
  isAsked?: boolean
}

export function DistributionChip({ state, isAsked = false }: DistributionChipProps) {
  if (state === 'made' && isAsked) return <Chip tone="info">Waits for a second person</Chip>
  const { tone, label } = looks[state]
  return <Chip tone={tone}>{label}</Chip>
}
