import { type Document, isAlias, isMap, isScalar, isSeq, type ParsedNode } from 'yaml'

/** What all places of one file share. */
export type Source = {
  document: Document.Parsed
  report(offset: number, path: string, message: string): void
  /** Remembers where a path stands, for whoever finds fault with its value later. */
  remember(path: string, offset: number): void
}

type Entry = { key: string; keyPlace: Place; value: Place }

const PLAIN_NULLS = new Set(['', '~', 'null', 'Null', 'NULL'])
const FOUND_LENGTH_MAX = 60

/**
 * One value of the sale file and where it stands. A value reached through an alias (`*name`) stands
 * where the alias is used, since that is the line whose meaning is in question.
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
    const target = isAlias(node) ? (node.resolve(source.document) ?? node) : node
    this.#node = isPlainNull(target) ? null : (target as ParsedNode | null)
    source.remember(path, this.#offset)
  }

  static root(source: Source): Place {
    return new Place(source, '', source.document.contents, null)
  }

  /** True where the file says nothing here, or says it with an empty value. */
  get isAbsent(): boolean {
    return this.#node === null
  }

  /** The scalar's own characters; undefined for anything else. */
  get text(): string | undefined {
    return isScalar(this.#node) ? String(this.#node.value) : undefined
  }

  /** What stands here, in words for the end of a fault. */
  get found(): string {
    if (this.#node === null) return 'nothing'
    if (isMap(this.#node)) return 'a map'
    if (isSeq(this.#node)) return 'a list'
    if (isAlias(this.#node)) return `*${this.#node.source} without an anchor of that name above it`
    const text = this.text ?? ''
    const isLong = text.length > FOUND_LENGTH_MAX
    return JSON.stringify(isLong ? `${text.slice(0, FOUND_LENGTH_MAX)}…` : text)
  }

  /** Reports what is wrong here. Gives undefined, the value of a reader that found a fault. */
  fault(message: string): undefined {
    this.#source.report(this.#offset, this.path, message)
    return undefined
  }

  /** Reports that this value is not what belongs here. */
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

  /** The place of a key of this map, whether the file has it or not. */
  at(key: string): Place {
    const value = isMap(this.#node) ? this.#node.get(key, true) : undefined
    return new Place(this.#source, this.#pathTo(key), value, this)
  }

  #pathTo(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`
  }
}

/** `key:`, `key: ~` and `key: null` leave a value out. */
function isPlainNull(node: unknown): boolean {
  return isScalar(node) && node.type === 'PLAIN' && PLAIN_NULLS.has(String(node.value))
}
