import type { CryptoAmount } from '#domain/money.ts'
import type { ReceiptFact } from '#domain/settlement/facts.ts'

/** A transfer on the simulated chain. */
export type ModelTransfer = {
  /** Chain transaction and output: `tx-3:0`. */
  id: string
  purchaseId: string
  amount: CryptoAmount
  isRightAsset: boolean
  sentAt: Date
  /** Null while it waits for a block. */
  minedAt: number | null
  isGone: boolean
}

/** A transfer as the chain reports it at one moment. */
export type ReportedTransfer = {
  transfer: ModelTransfer
  state: ReceiptFact['state']
  confirmations: number
}

/** A chain in memory that behaves like the sandbox's, and can bring back what a fork dropped. */
export class ChainModel {
  readonly #requiredConfirmations: number
  readonly #transfers: ModelTransfer[] = []
  #height = 0
  #transactions = 0

  constructor(requiredConfirmations: number) {
    this.#requiredConfirmations = requiredConfirmations
  }

  get transfers(): readonly Readonly<ModelTransfer>[] {
    return this.#transfers
  }

  /** Sends a transfer, in its own chain transaction or as a further output of another. */
  send(
    transfer: Pick<ModelTransfer, 'purchaseId' | 'amount' | 'isRightAsset' | 'sentAt'>,
    beside?: string,
  ): string {
    const together = this.#transfers.find(({ id }) => id === beside)
    const hash = together?.id.split(':')[0] ?? `tx-${(this.#transactions += 1)}`
    const outputs = this.#transfers.filter(({ id }) => id.split(':')[0] === hash).length
    const id = `${hash}:${outputs}`
    const { minedAt, isGone } = together ?? { minedAt: null, isGone: false }
    this.#transfers.push({ ...transfer, id, minedAt, isGone })
    return id
  }

  mine(count: number): void {
    for (const transfer of this.#transfers) {
      if (transfer.minedAt === null && !transfer.isGone) transfer.minedAt = this.#height + 1
    }
    this.#height += count
  }

  /** Replaces the last blocks by as many empty ones: what was in them is gone. */
  reorganise(depth: number): void {
    for (const transfer of this.#transfers) {
      if (transfer.minedAt !== null && transfer.minedAt > this.#height - depth) {
        transfer.minedAt = null
        transfer.isGone = true
      }
    }
  }

  /** Brings back a chain transaction that was gone: it waits for a block again. */
  sendAgain(transferId: string): void {
    const hash = transferId.split(':')[0]
    for (const transfer of this.#transfers) {
      if (transfer.id.split(':')[0] === hash) transfer.isGone = false
    }
  }

  read(): ReportedTransfer[] {
    return this.#transfers.map((transfer) => {
      const depth = transfer.minedAt === null ? 0 : this.#height - transfer.minedAt + 1
      const confirmations = Math.min(depth, this.#requiredConfirmations)
      const isConfirmed = confirmations === this.#requiredConfirmations
      const state = transfer.isGone ? 'gone' : isConfirmed ? 'confirmed' : 'seen'
      return { transfer, state, confirmations }
    })
  }
}
