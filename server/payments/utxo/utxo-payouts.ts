import { cryptoAmount, multiplyDivide } from '#domain/money.ts'
import type { CryptoAmount, Usd } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { type NodePool, unlessUnavailable } from '#server/payments/chains/nodes/node-pool.ts'
import type { ExtendedKey } from '#server/payments/keys/extended-key.ts'
import type { KeyOrigin } from '#server/payments/keys/key-origin.ts'
import { createQuestionPace } from '#server/payments/payouts/question-pace.ts'
import { confirmationsOf, foundOf } from '#server/payments/payouts/required-confirmations.ts'
import type { PayoutRecord, Payouts, PayoutSearch } from '#server/ports/payouts.ts'
import { type Coin, coinOf } from './coins.ts'
import { createPayoutFinder, type IsOwn } from './find-payouts.ts'
import { findGone } from './find-gone.ts'
import type { UtxoNode } from './node.ts'
import { dustOf, payoutSize, readUtxoAddress } from './payout-addresses.ts'
import { listFormats, makeListFile } from './payout-files.ts'
import { coinsOfPsbt, makePsbtFile } from './payout-psbt.ts'

/** A coin that is paid out. */
export type PayoutLine = {
  coin: Coin
  key: ExtendedKey
  /** Null if it is unknown: then no PSBT can be made. */
  origin: KeyOrigin | null
  pool: NodePool<UtxoNode>
}

type Options = {
  lineNamed(chain: string): PayoutLine
  record: PayoutRecord
  requiredConfirmations(chain: string, value: Usd | null): number
  /** How often the same payouts are looked for; null: according to the chains. */
  everyMs: number | null
}

/** Fee rates are per this many virtual bytes. */
const RATE_SIZE = 1_000n
const EVERY_MS = 20_000
const PSBT_WAS_MADE =
  'A PSBT was made for this batch too: make sure that nobody signs it, and name the transaction ' +
  'that you send, or it is not found.'

/** Payouts of the coins of the Bitcoin family, which a wallet signs and sends. */
export function createUtxoPayouts({ lineNamed, record, ...options }: Options): Payouts {
  const requireDue = createQuestionPace(options.everyMs ?? EVERY_MS)
  const finders = new Map<Coin, ReturnType<typeof createPayoutFinder>>()
  const finderOf = (coin: Coin) => {
    const finder = finders.get(coin) ?? createPayoutFinder(coin)
    finders.set(coin, finder)
    return finder
  }

  async function networkFee(paymentToken: PaymentToken): Promise<CryptoAmount | null> {
    const { coin, pool } = lineNamed(coinOf(paymentToken).chain)
    const rate = await pool.use((node) => node.feeRate())
    if (rate === null) return null
    return cryptoAmount(multiplyDivide(rate, payoutSize(coin), RATE_SIZE, 'up'))
  }

  return {
    readAddress: async (paymentToken, text) => readUtxoAddress(coinOf(paymentToken), text),
    networkFee: (paymentToken) => unlessUnavailable(networkFee(paymentToken)),
    dust: (paymentToken) => cryptoAmount(dustOf(coinOf(paymentToken))),
    formats(chain) {
      const { coin, origin } = lineNamed(chain)
      return origin === null ? listFormats(coin) : ['psbt', ...listFormats(coin)]
    },
    async makeFile(batch, format) {
      const { coin, key, origin, pool } = lineNamed(batch.chain)
      if (format === 'psbt' && origin !== null) {
        return await pool.use((node) => makePsbtFile(node, { coin, key, origin }, record, batch))
      }
      const file = makeListFile(coin, batch, format)
      const hasPsbt = (await record.psbts.find(batch.id)) !== null
      return hasPsbt ? { ...file, note: `${file.note} ${PSBT_WAS_MADE}` } : file
    },
    async find(chain, payouts, search) {
      requireDue(chain, payouts, search)
      const { coin, pool } = lineNamed(chain)
      const isOwn = await ownership(record, search)
      const { matches, others, sights, isWhole, head } = await pool.use((node) =>
        finderOf(coin)(node, payouts, search, isOwn),
      )
      const found = await foundOf(matches, (payout) =>
        confirmationsOf(payout, record, (value) => options.requiredConfirmations(chain, value)),
      )
      return { found, others, sights, isWhole, head }
    },
    async findGone(chain, paid, readHeight) {
      const { coin, pool } = lineNamed(chain)
      return await pool.use(async (node) => await findGone(node, coin, paid, readHeight))
    },
  }
}

/**
 * A transaction is ours if it spends a coin of the batch's PSBT, even after a replacement;
 * otherwise if an operator named it or payouts were found in it before. For a batch without a PSBT
 * or a name, paid by a wallet unknown to the sale, any transaction may be ours.
 */
async function ownership({ psbts }: PayoutRecord, { own, known }: PayoutSearch): Promise<IsOwn> {
  if (own === null) return () => true
  const psbt = await psbts.find(own.batchId)
  if (psbt === null && own.named.length === 0) return () => true
  const coins = new Set(psbt === null ? [] : coinsOfPsbt(psbt))
  const found = [...known.values()].map(({ transactionHash: hash }) => hash)
  const hashes = new Set(own.named.length > 0 ? own.named : found)
  return ({ transactionHash, spends }) =>
    hashes.has(transactionHash) || spends.some((coin) => coins.has(coin))
}
