/** Something outside did not answer or did not work; it is worth trying again. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/** Not a fault: the result takes a while, or it is too early to ask. */
export class NotYet extends Unavailable {}

/** What went wrong, as it says itself. */
export function whyOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault)
}
