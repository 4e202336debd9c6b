import { cryptoAmount } from '#domain/money.ts'
import type { FullBlock } from '#server/payments/evm/calls/node.ts'
import type { CoinTransfer } from '#server/ports/payouts.ts'

/** The transactions that carry coins to the addresses, whether or not they succeeded. */
export function coinTransfersTo(
  recipients: ReadonlySet<string>,
  blocks: readonly FullBlock[],
): CoinTransfer[] {
  return blocks.flatMap(({ number: height, transactions }) =>
    transactions.flatMap(({ hash, from, to, value }) =>
      to !== null && value > 0n && recipients.has(to)
        ? [{ hash, from, to, amount: cryptoAmount(value), height }]
        : [],
    ),
  )
}
