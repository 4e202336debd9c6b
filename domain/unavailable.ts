/** Something outside did not answer or work; worth trying again. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/** No fault: the result takes a while, or it is too early to ask. */
export class NotYet extends Unavailable {}
