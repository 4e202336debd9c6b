import { Refusal } from '#domain/refusal.ts'
import { Unavailable } from '#domain/unavailable.ts'

/** Refuses with `RailUnavailable` and the rail's own sentence if it has no answer. */
export async function askNode<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    throw new Refusal('RailUnavailable', { message: error.message })
  }
}
