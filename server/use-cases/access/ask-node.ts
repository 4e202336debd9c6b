import { Refusal } from '#domain/refusal.ts'
import { Unavailable } from '#domain/unavailable.ts'

/** Refuses with `RailUnavailable` if no node answers. */
export async function askNode<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    throw new Refusal('RailUnavailable', { message: error.message })
  }
}
