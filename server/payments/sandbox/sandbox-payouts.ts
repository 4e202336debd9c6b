import { payoutsCsv } from '#domain/refunds/payout-files.ts'
import { cryptoAmount, unitsForUsd, usd } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import {
  findOtherAmounts,
  matchPayouts,
  type SeenTransfer,
} from '#server/payments/payouts/match-payouts.ts'
import { foundOf } from '#server/payments/payouts/required-confirmations.ts'
import type { Payouts } from '#server/ports/payouts.ts'

/** In millionths of a dollar, at the prices that the sandbox starts from. */
const FEE_USD = usd(100_000n)
const DUST_USD = usd(10_000n)

const FORM = /^sandbox-[a-z0-9-]{1,120}$/

/** What the simulated chain shows of transfers away from the sale. */
export type SandboxOutgoing = (
  addresses: readonly string[],
  sinceHeight: bigint,
) => Promise<{ head: bigint; transfers: readonly Omit<SeenTransfer, 'isOwn'>[] }>

/**
 * Payouts on the simulated chain, to any address that begins with `sandbox-`. People who try the
 * sandbox make them with the wallet on its page.
 */
export function createSandboxPayouts(
  readOutgoing: SandboxOutgoing,
  requiredConfirmations: number,
): Payouts {
  return {
    async readAddress(_paymentToken, text) {
      const address = text.trim()
      if (!FORM.test(address)) {
        return {
          why: 'sandbox',
          fault:
            'This is not an address of the sandbox. Its addresses begin with sandbox-, followed ' +
            'by lower-case letters, digits and hyphens, such as sandbox-my-wallet',
        }
      }
      return { address }
    },
    networkFee: async (paymentToken) => unitsOf(paymentToken, FEE_USD),
    dust: (paymentToken) => unitsOf(paymentToken, DUST_USD),
    formats: () => ['csv'],
    async makeFile(batch) {
      const name = `payouts-${batch.id}-sandbox.csv`
      const note = 'Send each line with the wallet on the sandbox page.'
      return { name, mediaType: 'text/csv', text: payoutsCsv(batch), note }
    },
    async find(_chain, payouts, search) {
      const addresses = [...new Set(payouts.map(({ address }) => address))]
      const { head, transfers: sent } = await readOutgoing(addresses, search.sinceHeight)
      const transfers = sent.map((each) => ({ ...each, isOwn: true }))
      const matches = matchPayouts(payouts, transfers, search)
      const others = findOtherAmounts(payouts, transfers, matches, search)
      const found = await foundOf(matches, async () => requiredConfirmations)
      return { found, others, sights: [], isWhole: true, head }
    },
    async findGone(_chain, paid) {
      const addresses = [...new Set(paid.map(({ address }) => address))]
      const { transfers } = await readOutgoing(addresses, 0n)
      const there = new Set(transfers.map(({ transactionHash: hash }) => hash))
      return paid.filter(({ transactionHash: hash }) => !there.has(hash)).map(({ id }) => id)
    },
  }
}

/** A token without a price in the sale file uses the sandbox's own, and costs nothing to send. */
function unitsOf({ fixedPrice, decimals }: PaymentToken, value: typeof FEE_USD) {
  return cryptoAmount(fixedPrice === null ? 1n : unitsForUsd(value, fixedPrice, decimals, 'up'))
}
