/** One of our folders with everything in it, or a file, and what it may import. */
export type Room = {
  /** From the project's root. A file belongs to the longest path that it begins with. */
  path: string
  /**
   * What else of ours it may import: files, folders with everything in them, or `folder/*` without
   * subfolders.
   */
  imports: readonly string[]
  /** The packages that it may import; a trailing `*` stands for any ending. */
  packages: readonly string[]
  /** Whether it runs in a browser, without anything of Node's. */
  inBrowser?: true
  typesOnly?: true
  /** The message for an import that is not allowed. */
  sentence: string
}

/** The rooms of the same level that one imports. */
export const siblings = (noun: string, imports: readonly string[]): string =>
  noun === ''
    ? 'Each is in the room of its noun.'
    : `${noun} imports ${imports.join(', ') || 'no other'}.`
