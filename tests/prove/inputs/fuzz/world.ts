import { TOTP } from 'otpauth'

import { dice } from '#tests/kit/builders/shuffled.ts'
import { hostileValues } from './hostile-values.ts'

/** Somebody with an account, as far as the callers know it. */
export type Person = {
  email: string
  password: string
  id: string
  access: string | null
  refresh: string | null
  /** Of the authenticator app, from the moment that it was shown. */
  secret: string | null
  hasTwoFactor: boolean
  /** After an operator asked for another password, until it is changed. */
  isPasswordDue: boolean
  recoveryCodes: string[]
  purchaseIds: string[]
  sessionIds: string[]
  /** Where the tokens go; null if nobody has said. */
  wallet: string | null
  /** A message that the next wallet has signed. */
  signed: { nonce: string; signature: string } | null
}

const PEOPLE_MAX = 400
const KEPT_OF_A_KIND = 200
const KEPT_TEXT_MAX = 300

/**
 * What callers have learned from replies: accounts with their tokens, and by field name every text
 * that was in a reply, so that later calls send existing ids, addresses, cursors and keys.
 */
export class World {
  readonly people: Person[] = []
  readonly roll: (sides: number) => number
  readonly hostile: readonly unknown[]
  readonly #learned = new Map<string, string[]>()
  readonly #links = new Map<string, string[]>()
  /** Whether an operator has paused the sale. */
  isPaused = false
  #count = 0

  constructor(seed: number) {
    this.roll = dice(seed)
    this.hostile = hostileValues(seed)
  }

  chance(percent: number): boolean {
    return this.roll(100) < percent
  }

  pick<Thing>(things: readonly Thing[]): Thing {
    const thing = things[this.roll(things.length)]
    if (thing === undefined) throw new Error('There is nothing to choose from.')
    return thing
  }

  next(): number {
    this.#count += 1
    return this.#count
  }

  /** An address in its own network, so that other calls' limits do not count for it. */
  address(): string {
    return `10.${this.roll(256)}.${this.roll(256)}.${1 + this.roll(254)}`
  }

  person(): Person | null {
    return this.people.length === 0 ? null : this.pick(this.people)
  }

  addPerson(person: Person): void {
    this.people.push(person)
    if (this.people.length > PEOPLE_MAX) this.people.splice(this.roll(PEOPLE_MAX / 2), 1)
  }

  /** A text that some reply had in a field of one of these names. */
  known(...names: string[]): string | null {
    const texts = names.flatMap((name) => this.#learned.get(name) ?? [])
    return texts.length === 0 ? null : this.pick(texts)
  }

  /** The token of a mailed link of somebody. */
  linkOf(email: string): string | null {
    return this.#links.get(email)?.at(-1) ?? null
  }

  learnLink(email: string, token: string): void {
    this.#links.set(email, [...(this.#links.get(email) ?? []).slice(-3), token])
  }

  /** Learns every text of a reply, with the name of its field. */
  learn(value: unknown, name = ''): void {
    if (typeof value === 'string') {
      if (value === '' || value.length > KEPT_TEXT_MAX) return
      const texts = this.#learned.get(name) ?? []
      if (texts.length < KEPT_OF_A_KIND) texts.push(value)
      else texts[this.roll(KEPT_OF_A_KIND)] = value
      this.#learned.set(name, texts)
    } else if (Array.isArray(value)) {
      for (const item of value.slice(0, 20)) this.learn(item, name)
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) this.learn(inner, key)
    }
  }

  codeOf({ secret, recoveryCodes }: Person): string {
    const recovery = recoveryCodes[0]
    if (secret === null) return '123456'
    return recovery !== undefined && this.chance(20) ? recovery : new TOTP({ secret }).generate()
  }
}
