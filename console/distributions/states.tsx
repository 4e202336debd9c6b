import type { DistributionState } from '#domain/delivery/distribution.ts'
import { Chip } from '#web/ui/feedback/chip.tsx'
import type { Tone } from '#web/ui/style/tone.tsx'

const looks: Record<DistributionState, { tone: Tone; label: string }> = {
  made: { tone: 'warning', label: 'To publish' },
  published: { tone: 'info', label: 'Published' },
  closed: { tone: 'success', label: 'Closed' },
  withdrawn: { tone: 'neutral', label: 'Withdrawn' },
}

export function DistributionChip({ state }: { state: DistributionState }) {
  const { tone, label } = looks[state]
  return <Chip tone={tone}>{label}</Chip>
}
