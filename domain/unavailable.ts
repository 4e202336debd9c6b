/** The outside world did not do its part; worth trying again. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/** Nothing is wrong: what is asked for takes its time, or its time has not come. */
export class NotYet extends Unavailable {}
