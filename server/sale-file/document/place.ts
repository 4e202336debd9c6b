import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type ParsedNode,
} from 'yaml'

/** Shared by all places of one file. */
export type Source = {
  document: Document.Parsed
  /** What an alias stands for; undefined if no anchor above it has its name. */
  targetOf(alias: Alias): Node | undefined
  report(offset: number, path: string, message: string): void
  /** Records the position of a path for later faults. */
  remember(path: string, offset: number): void
}

type Entry = { key: string; keyPlace: Place; value: Place }

const PLAIN_NULLS = new Set(['', '~', 'null', 'Null', 'NULL'])
const FOUND_LENGTH_MAX = 60

/**
 * One value of the sale file with its position. A value behind an alias (`*name`) has the position
 * of the alias, since the fault lies in its use.
 */
export class Place {
  readonly path: string
  readonly #source: Source
  readonly #node: ParsedNode | null
  readonly #offset: number
  readonly #isInsideAlias: boolean

  private constructor(source: Source, path: string, value: unknown, parent: Place | null) {
    const node = (value ?? null) as ParsedNode | null
    const isInsideAlias = parent !== null && parent.#isInsideAlias
    const standsWithParent = parent !== null && (isInsideAlias || node === null)
    this.path = path
    this.#source = source
    this.#offset = standsWithParent ? parent.#offset : (node?.range[0] ?? 0)
    this.#isInsideAlias = isInsideAlias || isAlias(node)
    const target = isAlias(node) ? (source.targetOf(node) ?? node) : node
    this.#node = isPlainNull(target) ? null : (target as ParsedNode | null)
    source.remember(path, this.#offset)
  }

  static root(source: Source): Place {
    return new Place(source, '', source.document.contents, null)
  }

  /** True if the value is missing or empty. */
  get isAbsent(): boolean {
    return this.#node === null
  }

  /** The text of a scalar; undefined for anything else. */
  get text(): string | undefined {
    return isScalar(this.#node) ? String(this.#node.value) : undefined
  }

  /** Describes the value, for the end of a message. */
  get found(): string {
    if (this.#node === null) return 'nothing'
    if (isMap(this.#node)) return 'a map'
    if (isSeq(this.#node)) return 'a list'
    if (isAlias(this.#node)) return `*${this.#node.source} without an anchor of that name above it`
    const text = this.text ?? ''
    const isLong = text.length > FOUND_LENGTH_MAX
    return JSON.stringify(isLong ? `${text.slice(0, FOUND_LENGTH_MAX)}…` : text)
  }

  /** Reports a fault. Returns undefined, the value of a reader that found one. */
  fault(message: string): undefined {
    this.#source.report(this.#offset, this.path, message)
    return undefined
  }

  /** Reports that something else was expected. */
  mismatch(expected: string): undefined {
    return this.fault(`expected ${expected}, found ${this.found}`)
  }

  /**
   * The entries of a map, in their order; undefined for anything else. A repeated key is reported
   * and left out.
   */
  entries(): Entry[] | undefined {
    if (!isMap(this.#node)) return undefined
    const seen = new Set<string>()
    return this.#node.items.flatMap((pair) => {
      const key = isScalar(pair.key) ? String(pair.key.value) : '?'
      const path = this.#pathTo(key)
      const keyPlace = new Place(this.#source, path, pair.key, this)
      if (seen.has(key)) {
        keyPlace.fault('expected each key once, found it again')
        return []
      }
      seen.add(key)
      return [{ key, keyPlace, value: new Place(this.#source, path, pair.value, this) }]
    })
  }

  /** The entries of a list; undefined for anything else. */
  items(): Place[] | undefined {
    if (!isSeq(this.#node)) return undefined
    return this.#node.items.map(
      (item, index) => new Place(this.#source, `${this.path}[${index}]`, item, this),
    )
  }

  /** The place of a key of this map, even if the key is missing. */
  at(key: string): Place {
    const value = isMap(this.#node) ? this.#node.get(key, true) : undefined
    return new Place(this.#source, this.#pathTo(key), value, this)
  }

  #pathTo(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`
  }
}

/** `key:`, `key: ~` and `key: null` count as missing. */
function isPlainNull(node: unknown): boolean {
  return isScalar(node) && node.type === 'PLAIN' && PLAIN_NULLS.has(String(node.value))
}
