/**
 * The paths of the keys that stand twice in one object of a JSON text, each once: what reads such a
 * text next may take the other of the two. `text` must be JSON; its nesting is bounded by then.
 */
export function listDuplicateKeys(text: string): string[] {
  const found = new Set<string>()
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
      if (level.keys.has(level.key)) found.add(pathOf(open))
      level.keys.add(level.key)
    } else lastString = token
  }
  return [...found]
}

/** An object with its keys so far, or a list, for which `keys` is null. */
type Level = { keys: Set<string> | null; key: string; index: number }

/** Strings as a whole, so that nothing inside one counts, and whatever gives JSON its structure. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

function pathOf(open: readonly Level[]): string {
  return open.map(({ keys, key, index }) => (keys === null ? String(index) : key)).join('.')
}
