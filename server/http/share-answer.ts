import type { Clock } from '#server/ports/runtime.ts'

/**
 * Shares one answer among all callers: those who ask while it is computed wait for it, and it is
 * repeated for `keptMs`. So a flood of calls costs no more than one.
 */
export function shareAnswer<Answer>(
  clock: Clock,
  keptMs: number,
  ask: () => Promise<Answer>,
): () => Promise<Answer> {
  let kept: { answer: Answer; at: number } | null = null
  let underWay: Promise<Answer> | null = null

  async function askAgain(): Promise<Answer> {
    try {
      const answer = await ask()
      kept = { answer, at: clock.now().getTime() }
      return answer
    } finally {
      underWay = null
    }
  }

  return async () => {
    // A clock that was set back must not prolong an answer.
    const isFresh = kept !== null && Math.abs(clock.now().getTime() - kept.at) <= keptMs
    if (kept !== null && isFresh) return kept.answer
    underWay ??= askAgain()
    return await underWay
  }
}
