/** The database cannot be opened. The message is one sentence that says what to do about it. */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable'
}
