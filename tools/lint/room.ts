/** A folder or a file of ours with all that is in it, and what it may import. */
export type Room = {
  /** From the project's root. A file belongs to the longest path that it begins with. */
  path: string
  /** What else of ours it imports: files, folders with all in them, or `folder/*` without those. */
  imports: readonly string[]
  /** The packages that it imports; a `*` at the end stands for whatever follows. */
  packages: readonly string[]
  /** Whether it runs in a browser, which has nothing of Node's. */
  inBrowser?: true
  /** Whether it may name types alone. */
  typesOnly?: true
  /** The message for an import that is not allowed. */
  sentence: string
}

/** Which rooms beside it one imports. */
export const siblings = (noun: string, imports: readonly string[]): string =>
  noun === ''
    ? 'Each is in the room of its noun.'
    : `${noun} imports ${imports.join(', ') || 'no other'}.`
