import type { AccountKey } from './wallet-keys.ts'

const COLUMNS = 4

/** The words in rows, numbered as one writes them down. */
export function showWords(words: string): string {
  const numbered = words.split(' ').map((word, place) => `${`${place + 1}`.padStart(2)} ${word}`)
  const rows = []
  for (let first = 0; first < numbered.length; first += COLUMNS) {
    const row = numbered.slice(first, first + COLUMNS).map((word) => word.padEnd(14))
    rows.push(`  ${row.join('').trimEnd()}`)
  }
  return `THE WORDS. Whoever has them can spend everything; without them nobody can.
Write them on paper, twice, and let no camera and no computer with a network see them.

${rows.join('\n')}

`
}

/** Lines for the server's environment, each with what to compare. */
export function showKeys(keys: readonly AccountKey[]): string {
  const lines = keys.map(
    ({ name, path, text, fingerprint, origin, firstAddress }) =>
      `# ${path}, fingerprint ${fingerprint}, first address ${firstAddress}\n${name}=${text}\n` +
      (origin === null ? '' : `${origin.name}=${origin.text}\n`),
  )
  return `FOR THE SERVER. Public keys: they make addresses and can spend nothing. Whoever changes them
receives the payments, so compare fingerprint and first address with what the server prints.

${lines.join('\n')}`
}
