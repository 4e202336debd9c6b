import type { Delivery } from '#contract/delivery/deliveries.ts'
import { toolTraits } from '#domain/delivery/tools.ts'
import { useDeliveryTexts } from '#web/messages/use-delivery-texts.ts'
import type { Tone } from '#web/ui/style/tone.tsx'

type Texts = ReturnType<typeof useDeliveryTexts>

/** Whether the claim gives a stream, from which the tokens are withdrawn as they vest. */
export const isStream = ({ tool }: Delivery): boolean => toolTraits[tool].releases

/** The texts that are true for a part: a stream that has begun has delivered nothing yet. */
export function usePartTexts(part: Delivery): Texts {
  const texts = useDeliveryTexts()
  const { stream, states } = texts
  if (isStream(part)) {
    return { ...texts, ...stream, states: { ...states, delivered: stream.delivered } }
  }
  return part.tool === 'uniswap' ? texts : { ...texts, claimWait: texts.claimWaitElsewhere }
}

/** Whether the time to claim it is over, though nobody has taken it back yet. */
export function isExpired({ state, expires_date: expires }: Delivery, nowMs: number): boolean {
  return state === 'published' && expires !== null && Date.parse(expires) <= nowMs
}

/** The word for the state of a part, and its tone. */
export function stateChip(
  part: Delivery,
  texts: Texts,
  nowMs: number,
): { tone: Tone; text: string } {
  if (isExpired(part, nowMs)) return { tone: 'warning', text: texts.expired }
  if (part.state === 'published' && part.is_to_claim) return { tone: 'info', text: texts.toClaim }
  return { tone: tones[part.state], text: texts.states[part.state] }
}

const tones: Record<Delivery['state'], Tone> = {
  unassigned: 'warning',
  assigned: 'info',
  published: 'info',
  claimed: 'info',
  delivered: 'success',
  swept: 'warning',
}
