/**
 * The path of the first duplicate key in an object of a JSON text, or null. Another reader of the
 * text might take the other of the two values. Only the first is returned, since each path may be
 * as long as the text. `text` must be valid JSON of bounded nesting.
 */
export function findDuplicateKey(text: string): string | null {
  const open: Level[] = []
  let lastString = ''
  for (const [token] of text.matchAll(TOKENS)) {
    const level = open.at(-1)
    if (token === '{') open.push({ keys: new Set(), key: '', index: 0 })
    else if (token === '[') open.push({ keys: null, key: '', index: 0 })
    else if (token === '}' || token === ']') open.pop()
    else if (level === undefined) continue
    else if (token === ',') level.index += 1
    else if (token === ':' && level.keys !== null) {
      level.key = JSON.parse(lastString) as string
      if (level.keys.has(level.key)) return pathOf(open)
      level.keys.add(level.key)
    } else lastString = token
  }
  return null
}

/** An object with its keys so far, or a list, for which `keys` is null. */
type Level = { keys: Set<string> | null; key: string; index: number }

/** Whole strings, so that nothing inside them counts, and the characters that structure JSON. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

function pathOf(open: readonly Level[]): string {
  return open.map(({ keys, key, index }) => (keys === null ? String(index) : key)).join('.')
}
