/** A broken promise: which check found it, what it is about, and a sentence with the figures. */
export type Breach = {
  check: string
  /** What it is about: the id of a stage, a purchase, a user, or an account. */
  subject: string
  fault: string
}

/** A check that could not be run, and why. */
export type NotRun = { check: string; fault: string }
