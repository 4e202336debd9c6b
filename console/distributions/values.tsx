import type { DistributionState } from '#domain/delivery/distribution.ts'
import { StateChip, type StateLook } from '#console/kit/values.tsx'
import { formatCoins } from '#web/lib/format/format.ts'
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

export function throughText(through: number | null): string {
  if (through === null) return 'Everything'
  if (through === 0) return 'The release at the start'
  return `Releases up to month ${through}`
}

/** Whole tokens, if there is at least one: the decimals are in the title. */
export function wholeTokens(exact: string): string {
  const [whole = '0'] = exact.split('.')
  return formatCoins(whole === '0' ? exact : whole)
}
