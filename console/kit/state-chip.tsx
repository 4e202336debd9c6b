import { Chip } from '#web/ui/feedback/chip.tsx'
import type { Tone } from '#web/ui/style/tone.tsx'

export type StateLook = readonly [tone: Tone, word: string]

export function StateChip({ look: [tone, word] }: { look: StateLook }) {
  return <Chip tone={tone}>{word}</Chip>
}
