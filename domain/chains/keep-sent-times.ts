import type { CryptoAmount } from '#domain/money.ts'

type Sent = {
  /** Left out if all are to one address. */
  address?: string
  paymentTokenId: string | null
  amount: CryptoAmount
  sentAt: Date
}

/**
 * What arrives while another transfer to the same address is found to be gone has replaced it, as
 * with a higher fee, and counts as sent when that one was. If it brings more, it does not: somebody
 * could send a speck in time, and replace it with the payment when the price has fallen.
 */
export function keepSentTimes<Gone extends Sent, Transfer extends Sent>(
  gone: readonly Gone[],
  arrived: readonly Transfer[],
): { arrived: Transfer[]; replaced: Gone[] } {
  // Each takes the least that is enough, so that the larger ones are left for those that need them.
  const left = gone.toSorted((one, other) => (one.amount > other.amount ? 1 : -1))
  const replaced: Gone[] = []
  const dated = arrived.map((transfer) => {
    const place = left.findIndex(
      ({ address, paymentTokenId, amount, sentAt }) =>
        address === transfer.address &&
        paymentTokenId === transfer.paymentTokenId &&
        amount >= transfer.amount &&
        sentAt < transfer.sentAt,
    )
    const [before] = place === -1 ? [] : left.splice(place, 1)
    if (before === undefined) return transfer
    replaced.push(before)
    return { ...transfer, sentAt: before.sentAt }
  })
  return { arrived: dated, replaced }
}
