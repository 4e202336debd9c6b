/** A condition that only a bug can break. The message names what was expected. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantBroken(message)
}

/** A bug has shown itself. Callers are told of no more than that: a 500. */
export class InvariantBroken extends Error {
  override readonly name = 'InvariantBroken'
}
