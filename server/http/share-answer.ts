import { shareInFlight } from '#domain/share-in-flight.ts'
import type { Clock } from '#server/ports/runtime.ts'

/**
 * One answer for all who ask: those who come while it is looked for wait for it, and for `keptMs`
 * it is given again. So whoever asks without end makes no more work than whoever asks once.
 */
export function shareAnswer<Answer>(
  clock: Clock,
  keptMs: number,
  ask: () => Promise<Answer>,
): () => Promise<Answer> {
  let kept: { answer: Answer; at: number } | null = null
  const askAgain = shareInFlight<null, Answer>(async () => {
    const answer = await ask()
    kept = { answer, at: clock.now().getTime() }
    return answer
  })

  return async () => {
    // A clock that was set back keeps no answer for longer.
    const isFresh = kept !== null && Math.abs(clock.now().getTime() - kept.at) <= keptMs
    return kept !== null && isFresh ? kept.answer : await askAgain(null)
  }
}
