import { cryptoAmount } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { Unavailable } from '#domain/unavailable.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import { RpcRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import type { NodePool } from '#server/payments/chains/nodes/node-pool.ts'
import { hasWords, transferCall } from '#server/payments/evm/calls/abi.ts'
import { unlessReverted } from '#server/payments/evm/calls/contract-calls.ts'
import type { EvmNode } from '#server/payments/evm/calls/node.ts'
import { NATIVE, readBalances } from '#server/payments/evm/calls/read-balances.ts'
import type {
  LyingAsset,
  MinedTransaction,
  Sweeping,
  SweepSight,
  SweptAsset,
  SweptChain,
} from '#server/ports/sweeping.ts'
import { readSigned } from './read-signed.ts'

export type SweepableChain = SweptChain & {
  pool: NodePool<EvmNode>
  paymentTokens: readonly PaymentToken[]
  /** How deep a transaction must be so that it is no longer replaced. */
  confirmations: number
}

type Options = Pick<Sweeping, 'fingerprint' | 'payer'> & { chains: readonly SweepableChain[] }

const CALLS_AT_ONCE = 8
const COIN_DECIMALS = 18
/** Each kind of node has its own words for it. */
const ALREADY_KNOWN =
  /already ?known|already (imported|exists)|\bknown transaction|existing tx with same hash/i
/** A token may need a little more gas in a later block, and an exact limit would fail then. */
const GAS_MARGIN = 20n

export function createEvmSweeping({ fingerprint, payer, chains }: Options): Sweeping {
  /** Asks one node of a chain from beginning to end. */
  const ask = <Result>(
    name: string,
    work: (node: EvmNode, chain: SweepableChain) => Promise<Result>,
  ) => {
    const chain = chains.find((each) => each.name === name)
    if (chain === undefined) throw new Unavailable(`No node is set for ${name}`)
    return chain.pool.use((node) => work(node, chain))
  }

  return {
    fingerprint,
    payer,
    chains: chains.map(({ name, chainId, treasury }) => ({ name, chainId, treasury })),
    read: (raw) => mapWithConcurrency(raw, CALLS_AT_ONCE, readSigned),
    look: (name, addresses) => ask(name, (node, chain) => look(node, chain, payer, addresses)),
    gasOf: (name, what, to) =>
      ask(name, async (node) => {
        const { hash } = await node.head()
        return await mapWithConcurrency(what, CALLS_AT_ONCE, (each) => gasOf(node, each, to, hash))
      }),
    nonces: (name, addresses) =>
      ask(name, async (node) => {
        const read = async (address: string) =>
          [address, await node.transactionCount(address)] as const
        return new Map(await mapWithConcurrency(addresses, CALLS_AT_ONCE, read))
      }),
    refusal: (name, { from, contract, to, amount }) =>
      ask(name, async (node) => {
        if (contract === null) return null
        const { hash } = await node.head()
        const transfer = { from, to: contract, data: transferCall(to, amount) }
        return (await isAllowed(node, transfer, hash)) ? null : REFUSED
      }),
    send: (name, raw) =>
      ask(name, async (node) => {
        try {
          await node.sendRaw(raw)
          return null
        } catch (error) {
          if (!(error instanceof RpcRefused)) throw error
          return ALREADY_KNOWN.test(error.detail) ? null : error.detail
        }
      }),
    find: (name, hashes) => ask(name, (node, chain) => find(node, chain, hashes)),
    isReplaced: (name, { hash, sender, nonce }) =>
      ask(name, async (node, { confirmations }) => {
        const { number: head } = await node.head()
        const height = head - BigInt(confirmations) + 1n
        if (height < 0n || (await node.transactionCount(sender, height)) <= nonce) return false
        // The same node is asked, so that one that has fallen behind cannot make it look replaced.
        return (await node.findReceipt(hash)) === null
      }),
  }
}

async function look(
  node: EvmNode,
  chain: SweepableChain,
  payer: string,
  addresses: readonly string[],
): Promise<SweepSight> {
  const { number: height, hash } = await node.head()
  const keys = addresses.map((address) => address.toLowerCase())
  const lying: LyingAsset[] = []
  const { coin, tokens } = assetsOf(chain)
  for (const asset of [...tokens, coin]) {
    const balances = await readBalances(node, asset.contract ?? NATIVE, keys, hash)
    for (const address of addresses) {
      const amount = cryptoAmount(balances.get(address.toLowerCase()) ?? 0n)
      if (amount > 0n) lying.push({ address, asset, amount })
    }
  }
  const own = await readBalances(node, NATIVE, [payer.toLowerCase()], hash)
  const balance = cryptoAmount(own.get(payer.toLowerCase()) ?? 0n)
  const nonce = await node.transactionCount(payer)
  const fundingGas = await node.estimateGas({ from: payer, to: payer, value: 0n })
  const gasPrice = await node.gasPrice()
  return { height, coin, gasPrice, fundingGas, payer: { balance, nonce }, lying }
}

async function gasOf(
  node: EvmNode,
  { address, asset, amount }: LyingAsset,
  to: string,
  blockHash: string,
): Promise<bigint | { fault: string }> {
  if (asset.contract === null) {
    const gas = await unlessReverted(node.estimateGas({ from: address, to, value: 1n }))
    return gas ?? { fault: NOT_TAKEN }
  }
  const transfer = { from: address, to: asset.contract, data: transferCall(to, amount) }
  const gas = await unlessReverted(node.estimateGas(transfer))
  if (gas === null || !(await isAllowed(node, transfer, blockHash))) return { fault: REFUSED }
  // The gas for coins does not change; tokens may be in another state by then.
  return gas + gas / GAS_MARGIN
}

/**
 * Whether a token would do it. To refuse, some do not revert but answer `false`; others answer
 * nothing, whatever they do.
 */
async function isAllowed(
  node: EvmNode,
  transfer: { from: string; to: string; data: string },
  blockHash: string,
): Promise<boolean> {
  const answer = await unlessReverted(node.call(transfer, blockHash))
  return answer === '0x' || (answer !== null && hasWords(answer, 1) && BigInt(answer) !== 0n)
}

async function find(
  node: EvmNode,
  { confirmations }: SweepableChain,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, MinedTransaction>> {
  const { number: head } = await node.head()
  const found = await mapWithConcurrency(hashes, CALLS_AT_ONCE, async (hash) => {
    const receipt = await node.findReceipt(hash)
    return receipt === null ? null : ([hash, receipt] as const)
  })
  return new Map(
    found.flatMap((each): [string, MinedTransaction][] => {
      if (each === null) return []
      const [hash, { blockNumber: height, status }] = each
      const isDeep = head - height + 1n >= BigInt(confirmations)
      return [[hash, { height, hasSucceeded: status === 1n, isDeep }]]
    }),
  )
}

const NOT_TAKEN = 'The treasury does not accept coins: it is a contract that refuses them'
const REFUSED =
  'The token does not allow the transfer: it is paused, or has blocked this address. ' +
  'Ask its issuer, and make a new list once it does'

function assetsOf({ paymentTokens }: SweepableChain): { coin: SweptAsset; tokens: SweptAsset[] } {
  const assets = paymentTokens.map((paymentToken) => ({
    paymentToken,
    symbol: paymentToken.symbol,
    decimals: paymentToken.decimals,
    contract: paymentToken.contract?.toLowerCase() ?? null,
  }))
  const coin = assets.find(({ contract }) => contract === null)
  const other = { paymentToken: null, symbol: 'COIN', decimals: COIN_DECIMALS, contract: null }
  return { coin: coin ?? other, tokens: assets.filter(({ contract }) => contract !== null) }
}
