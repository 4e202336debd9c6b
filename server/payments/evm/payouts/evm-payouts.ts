import { cryptoAmount, multiplyDivide } from '#domain/money.ts'
import type { CryptoAmount, Usd } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import { type NodePool, unlessUnavailable } from '#server/payments/chains/nodes/node-pool.ts'
import type { EvmNode } from '#server/payments/evm/calls/node.ts'
import { createQuestionPace } from '#server/payments/payouts/question-pace.ts'
import { confirmationsOf } from '#server/payments/payouts/required-confirmations.ts'
import type { PaidTransfer, Payout, PayoutRecord, Payouts } from '#server/ports/payouts.ts'
import { createPayoutFinder, requireHeight } from './find-payouts.ts'
import { evmFormats, makeEvmFile } from './payout-files.ts'
import { readEvmAddress } from './read-address.ts'

export type PayoutChain = {
  chainId: number
  pool: NodePool<EvmNode>
  /** Those of the sale on it. */
  paymentTokens: readonly PaymentToken[]
  /** The address that sends payouts; null if it is unknown. */
  treasury: string | null
}

type Options = {
  chainNamed(name: string): PayoutChain
  chainOf(paymentToken: PaymentToken): string
  record: PayoutRecord
  requiredConfirmations(chain: string, value: Usd | null): number
  /** How often the same payouts are looked for; null: according to the chains. */
  everyMs: number | null
}

/** The gas for a transfer of coins, and of a token to an address that has none of it yet. */
const COIN_GAS = 21_000n
const TOKEN_GAS = 65_000n
const COIN_DECIMALS = 18
const EVERY_MS = 15_000

/** Payouts of coins and tokens on EVM chains, which a Safe or any other wallet signs and sends. */
export function createEvmPayouts(options: Options): Payouts {
  const { chainNamed, chainOf, record } = options
  const findPayouts = createPayoutFinder()
  const requireDue = createQuestionPace(options.everyMs ?? EVERY_MS)

  async function networkFee(paymentToken: PaymentToken): Promise<CryptoAmount | null> {
    const { pool, paymentTokens } = chainNamed(chainOf(paymentToken))
    const price = await pool.use((node) => node.gasPrice())
    if (paymentToken.contract === null) return cryptoAmount(price * COIN_GAS)
    const coin = paymentTokens.find(({ contract }) => contract === null)
    const coinPrice = coin === undefined ? null : await record.priceOf(coin.symbol)
    const tokenPrice = await record.priceOf(paymentToken.symbol)
    if (coinPrice === null || tokenPrice === null || tokenPrice === 0n) return null
    const scale = 10n ** BigInt(COIN_DECIMALS)
    const units = price * TOKEN_GAS * coinPrice * 10n ** BigInt(paymentToken.decimals)
    return cryptoAmount(multiplyDivide(units, 1n, scale * tokenPrice, 'up'))
  }

  return {
    readAddress: (paymentToken, text) =>
      readEvmAddress(text, chainNamed(chainOf(paymentToken)).paymentTokens),
    networkFee: (paymentToken) => unlessUnavailable(networkFee(paymentToken)),
    dust: () => cryptoAmount(1n),
    formats: () => evmFormats,
    makeFile: (batch, format) => makeEvmFile(chainNamed(batch.chain).chainId, batch, format),
    async find(name, payouts, search) {
      requireDue(name, payouts, search)
      const { pool, treasury } = chainNamed(name)
      const requiredOf = (payout: Payout) =>
        confirmationsOf(payout, record, (value) => options.requiredConfirmations(name, value))
      const from = treasury?.toLowerCase() ?? null
      const listCoins = (coins: readonly Payout[]) =>
        record.coins.list(name, coins, { sinceHeight: search.sinceHeight, from })
      const sent = { from, requiredOf, listCoins }
      return await pool.use((node) => findPayouts(node, payouts, search, sent))
    },
    async findGone(name, paid, readHeight) {
      return await chainNamed(name).pool.use(async (node) => {
        const { number: head } = await node.head()
        requireHeight(node, head, readHeight)
        const transactions = [...Map.groupBy(paid, ({ transactionHash: hash }) => hash)]
        const gone = await mapWithConcurrency(transactions, 1, async ([hash, transfers]) => {
          return (await isThere(node, hash, transfers)) ? [] : transfers.map(({ id }) => id)
        })
        return gone.flat()
      })
    },
  }
}

/** Nodes may keep the block of a transaction, and its receipt for some hours only. */
async function isThere(
  node: EvmNode,
  hash: string,
  [transfer]: readonly PaidTransfer[],
): Promise<boolean> {
  const receipt = await node.receiptOf(hash)
  if (receipt !== null || transfer === undefined) return receipt?.status === 1n
  const { transactions } = await node.blockWithTransactions(transfer.height)
  return transactions.some((each) => each.hash === hash)
}
