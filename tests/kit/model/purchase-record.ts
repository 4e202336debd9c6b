import type {
  OperatorMark,
  PurchaseFacts,
  ReceiptFact,
  Reversal,
} from '#domain/settlement/facts.ts'

/** A report of a chain about a receipt: the highest revision is the current state. */
export type Sighting = {
  receipt: Omit<ReceiptFact, 'state' | 'confirmations' | 'wasConfirmed'>
  revision: number
  state: ReceiptFact['state']
}

export type Recording =
  | { kind: 'sighting'; sighting: Sighting }
  | { kind: 'watermark'; at: Date }
  | { kind: 'mark'; mark: OperatorMark }
  | { kind: 'reversal'; reversal: Reversal }
  | { kind: 'gateway failed' }

/** The facts of one purchase as a database would collect them: each once, in whatever order. */
export class PurchaseRecord {
  readonly #sightings = new Map<string, Sighting[]>()
  readonly #marks = new Map<string, OperatorMark>()
  #facts: PurchaseFacts

  constructor(facts: PurchaseFacts) {
    this.#facts = facts
  }

  get facts(): PurchaseFacts {
    return this.#facts
  }

  /** Stores what settling has to find again, or what other purchases changed of this one. */
  store(
    kept: Partial<Pick<PurchaseFacts, 'grants' | 'reservationLeft' | 'isFirstPurchaseBonusLost'>>,
  ): void {
    this.#facts = { ...this.#facts, ...kept }
  }

  record(recording: Recording): void {
    switch (recording.kind) {
      case 'sighting':
        this.#see(recording.sighting)
        break
      case 'watermark': {
        const { chainReadThrough } = this.#facts
        const isNews = chainReadThrough === null || chainReadThrough < recording.at
        if (isNews) this.#facts = { ...this.#facts, chainReadThrough: recording.at }
        break
      }
      case 'mark':
        this.#marks.set(`${recording.mark.at.getTime()} ${recording.mark.kind}`, recording.mark)
        this.#facts = { ...this.#facts, marks: [...this.#marks.values()] }
        break
      case 'reversal':
        this.#facts = { ...this.#facts, reversal: recording.reversal }
        break
      case 'gateway failed':
        this.#facts = { ...this.#facts, hasGatewayFailed: true }
    }
  }

  #see(sighting: Sighting): void {
    const { receipt, revision } = sighting
    const known = this.#sightings.get(receipt.id) ?? []
    if (known.some((one) => one.revision === revision)) return
    this.#sightings.set(receipt.id, [...known, sighting])
    this.#facts = { ...this.#facts, receipts: [...this.#sightings.values()].map(toReceipt) }
  }
}

function toReceipt(sightings: readonly Sighting[]): ReceiptFact {
  const newest = sightings.reduce((one, other) => (one.revision > other.revision ? one : other))
  return {
    ...newest.receipt,
    state: newest.state,
    confirmations: newest.state === 'confirmed' ? newest.revision : 0,
    wasConfirmed: sightings.some(({ state }) => state === 'confirmed'),
  }
}
