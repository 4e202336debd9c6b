import { type CryptoAmount, cryptoAmount } from '#domain/money.ts'
import { listSweepable as listAddresses } from '#server/database/sweeps/sweeps.ts'
import type { LyingAsset, SweepSight } from '#server/ports/sweeping.ts'
import type { Services } from '#server/services.ts'
import { askNode } from '#server/use-cases/access/ask-node.ts'
import { refused, requireTreasury } from './sweeping-of.ts'
import { type Valued, valueLying } from './value-lying.ts'

export type SweepRequest = {
  chainId: number
  /** Per unit of gas; null: a quarter above what the network asks for. */
  gasPrice: bigint | null
  /** Whole dollars. */
  minUsd: number
  /** The most transfers to list. */
  limit: number
}

type PlannedTransfer = LyingAsset & { index: number; nonce: bigint; gas: bigint }

/** What is to be signed; see `SweepList` of the contract. */
export type PlannedSweep = Awaited<ReturnType<typeof listSweep>>

const USD_UNITS = 1_000_000n

/**
 * What is worth sweeping on a chain now, with everything needed to sign it elsewhere: nothing is
 * stored and nothing sent. Addresses with coins pay their own gas; addresses with only tokens are
 * sent just as much as their transfer may take. Refuses with `SweepRefused`, `RailUnavailable`.
 */
export async function listSweep(services: Services, request: SweepRequest) {
  const { sweeping, chain, treasury } = await requireTreasury(services, request.chainId)
  const addresses = new Map(
    (await listAddresses(services.database, 'EVM_XPUB')).map((each) => [each.address, each]),
  )
  const sight = await askNode(sweeping.look(chain.name, [...addresses.keys()]))
  const gasPrice = request.gasPrice ?? (sight.gasPrice * 5n) / 4n
  if (gasPrice === 0n) throw refused('The network gives no gas price. Set one with --gas_gwei')
  const valued = await valueLying(services, sight, gasPrice)
  const leftOut: (LyingAsset & { why: string })[] = []
  const wanted = valued.toSorted(byValue).filter((each) => {
    const why = whyNot(
      each,
      request,
      addresses.get(each.address)?.fingerprint === sweeping.fingerprint,
    )
    if (why !== null) leftOut.push({ ...each, why })
    return why === null
  })
  for (const each of wanted.splice(request.limit)) {
    leftOut.push({ ...each, why: `Beyond ${request.limit} transfers: it is in the next list` })
  }
  const needed = await askNode(sweeping.gasOf(chain.name, wanted, treasury))
  const movable = wanted.flatMap((each, place): Movable[] => {
    const gas = needed[place]
    if (typeof gas === 'bigint') return [{ ...each, gas }]
    leftOut.push({ ...each, why: gas?.fault ?? '' })
    return []
  })
  const own = [...new Set(movable.map(({ address }) => address))]
  const nonces = await askNode(sweeping.nonces(chain.name, own))
  const fundings: { address: string; amount: CryptoAmount; gas: bigint }[] = []
  const transfers = own.flatMap((address): PlannedTransfer[] => {
    const planned = planAddress(address, movable, sight, gasPrice)
    leftOut.push(...planned.leftOut)
    if (planned.funding > 0n) {
      fundings.push({ address, amount: cryptoAmount(planned.funding), gas: sight.fundingGas })
    }
    return planned.transfers.map((each, nth) => ({
      ...each,
      index: addresses.get(address)?.index ?? 0,
      nonce: (nonces.get(address) ?? 0n) + BigInt(nth),
    }))
  })
  if (transfers.length === 0) throw refused('Nothing there is worth sweeping at this fee')
  const needs = fundings.reduce((sum, { amount, gas }) => sum + amount + gas * gasPrice, 0n)
  return {
    chainId: request.chainId,
    fingerprint: sweeping.fingerprint,
    treasury,
    madeAt: services.clock.now(),
    gasPrice,
    coinDecimals: sight.coin.decimals,
    payer: { address: sweeping.payer, ...sight.payer, needs: cryptoAmount(needs) },
    fundings,
    transfers,
    leftOut,
  }
}

type Movable = LyingAsset & { gas: bigint }

/** Tokens first, paid for by the coins of the address if it has any; the remaining coins follow. */
function planAddress(
  address: string,
  movable: readonly Movable[],
  { lying }: SweepSight,
  gasPrice: bigint,
) {
  const own = movable.filter((each) => each.address === address)
  const tokens = own.filter(({ asset }) => asset.contract !== null)
  const coins = own.find(({ asset }) => asset.contract === null)
  const held = lying.find((each) => each.address === address && each.asset.contract === null)
  const balance: bigint = held?.amount ?? 0n
  const tokenFees = tokens.reduce((sum, { gas }) => sum + gas * gasPrice, 0n)
  const missing = tokenFees - balance
  const funding = missing > 0n ? missing : 0n
  if (coins === undefined) return { transfers: tokens, funding, leftOut: [] }
  const fee = coins.gas * gasPrice
  const amount = balance - tokenFees - fee
  if (amount < fee) {
    return { transfers: tokens, funding, leftOut: [{ ...coins, why: LESS_THAN_FEE }] }
  }
  return {
    transfers: [...tokens, { ...coins, amount: cryptoAmount(amount) }],
    funding,
    leftOut: [],
  }
}

const LESS_THAN_FEE = 'Not worth its fee now'

function whyNot({ usd, paysOff }: Valued, { minUsd }: SweepRequest, isCurrent: boolean) {
  if (!isCurrent) {
    return 'This address is from a former key: sweep it from a wallet with the words of that key'
  }
  if (!paysOff) return LESS_THAN_FEE
  return usd !== null && usd < BigInt(minUsd) * USD_UNITS ? `Worth less than $${minUsd}` : null
}

/** Amounts without a price come first: they may be worth anything. */
function byValue({ usd: one }: Valued, { usd: other }: Valued): number {
  if (one === null || other === null) return Number(other === null) - Number(one === null)
  return one > other ? -1 : Number(one < other)
}
