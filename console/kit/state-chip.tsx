import { Chip } from '#web/ui/feedback/chip.tsx'
import type { Tone } from '#web/ui/style/tone.tsx'

/** How a state is shown: its colour, and its word. */
export type StateLook = readonly [tone: Tone, word: string]

/** A state in a word, with its colour. */
export function StateChip({ look: [tone, word] }: { look: StateLook }) {
  return <Chip tone={tone}>{word}</Chip>
}
