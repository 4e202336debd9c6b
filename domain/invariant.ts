/** A condition that only a bug can break. The message names what was expected. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantBroken(message)
}

/** A bug. Callers get a 500 and no details. */
export class InvariantBroken extends Error {
  override readonly name = 'InvariantBroken'
}
