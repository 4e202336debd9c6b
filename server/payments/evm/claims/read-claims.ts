import type { DistributionTool } from '#domain/delivery/distribution.ts'
import type { SeenDelivery } from '#server/ports/claims.ts'
import {
  addressAt,
  addressIn,
  hasWords,
  numberAt,
  transferIn,
} from '#server/payments/evm/calls/abi.ts'
import type { Log, LogFilter } from '#server/payments/evm/calls/node.ts'

/*
 * The events of contracts that people claim from. Uniswap's are from the build published as
 * `@uniswap/merkle-distributor` 1.0.1, Sablier's from the ABIs of releases 2.0 and 3.0 of its
 * airdrops, published in `sablier` 4.1.0, and Hedgey's from its published ClaimCampaigns.
 */

/** `Claimed(uint256 index, address account, uint256 amount)` */
const UNISWAP_CLAIMED = '0x4ec90e965519d92681267467f775ada5bd214aa92c0dc93d90a5e880ce9ed026'
/**
 * `ClaimInstant(uint256 index, address indexed recipient, uint128 amount, address to, bool viaSig)`
 */
const CLAIM_INSTANT = '0x2fb6e76f6c88eb31f43c986c9c81d4bb10dc0a4c3e9b3fe6e8664124fa326980'
/** `ClaimLLWithTransfer`, with the same values. */
const CLAIM_LINEAR_TRANSFER = '0xb0e61d06868c2b844ea5ce4c42d43866e18f6d8131ca2e2ce1af2ccc10e8d0ad'
/** `ClaimLTWithTransfer`, with the same values. */
const CLAIM_TRANCHED_TRANSFER = '0xf46684b730cdfda57162147f36e667c94ecc144aa37e949cffe699e2f7c7f38d'
/** `ClaimLLWithVesting`, with `uint256 indexed streamId` as well. */
const CLAIM_LINEAR_VESTING = '0x6edacaef45d4eeb1d0fb82b2a0bbac8709e930057f116753d65da770427aad46'
/** `ClaimLTWithVesting`, with `uint256 indexed streamId` as well. */
const CLAIM_TRANCHED_VESTING = '0xc1a996f3693566bf333b8f07ae109766a59a6660dc05dadd5f419487f797f70b'
/** `Clawback(address indexed admin, address indexed to, uint128 amount)` */
const CLAWBACK = '0x2e9d425ba8b27655048400b366d7b6a1f7180ebdb088e06bb7389704860ffe1f'

const TO_WALLET = [CLAIM_INSTANT, CLAIM_LINEAR_TRANSFER, CLAIM_TRANCHED_TRANSFER]
const TO_STREAM = [CLAIM_LINEAR_VESTING, CLAIM_TRANCHED_VESTING]

/**
 * The topics of a tool's own events, as a node is asked for them; null if there are only the
 * token's transfers.
 */
export function topicsOf(
  tool: DistributionTool,
  campaign: string | null,
): LogFilter['topics'] | null {
  switch (tool) {
    case 'uniswap':
      return [[UNISWAP_CLAIMED]]
    case 'sablier_instant':
    case 'sablier_linear':
    case 'sablier_tranched':
      return [[...TO_WALLET, ...TO_STREAM, CLAWBACK]]
    case 'hedgey':
      return campaign === null ? null : [null, campaignTopic(campaign)]
    default:
      return null
  }
}

type Place = Pick<SeenDelivery, 'transactionHash' | 'logIndex' | 'blockHeight' | 'blockHash'>
/** One event that was seen, without its block's time. */
export type Sight = Omit<SeenDelivery, 'at'>

type Claim = {
  log: Log
  place: number | null
  owner: string
  claimed: bigint
  receiver: string
  /** True if the tokens go into a contract that releases them over time. */
  isStreamed: boolean
}

type Transfer = { log: Log; to: string; amount: bigint }

/**
 * What a tool's contract, or the sending wallet, has done.
 * @param events Logs of the contract itself.
 * @param transferLogs Transfers of the token from the contract or the wallet.
 * @param campaign Which campaign counts, if the contract has many.
 */
export function readClaims(
  tool: DistributionTool,
  events: readonly Log[],
  transferLogs: readonly Log[],
  campaign: string | null,
): Sight[] {
  const transfers = transferLogs.flatMap(readTransfer).toSorted(inOrder)
  switch (tool) {
    case 'uniswap': {
      const claims = events.flatMap(readUniswap).toSorted(inOrder)
      return [...withTransfers(claims, transfers), ...unexplained('swept', claims, transfers)]
    }
    case 'sablier_instant':
    case 'sablier_linear':
    case 'sablier_tranched': {
      const claims = events.flatMap(readSablier).toSorted(inOrder)
      const clawbacks = events.filter((log) => readClawback(log).length > 0)
      const known = [...claims, ...clawbacks.map((log) => ({ log }))]
      return [
        ...withTransfers(claims, transfers),
        ...clawbacks.flatMap(readClawback),
        ...unexplained('unknown', known, transfers),
      ]
    }
    case 'hedgey': {
      const beside = byTransaction(transfers)
      // The contract serves everybody: other transfers from it may belong to others, and are no
      // sweeps.
      return events
        .filter(({ topics }) => campaign !== null && topics[1] === campaignTopic(campaign))
        .flatMap((log) => readHedgey(log, beside))
    }
    case 'openzeppelin':
      return transfers.map((transfer) => sightOf('claimed', transfer))
    case 'safe_airdrop':
    case 'safe_transactions':
    case 'plain':
      return transfers.map((transfer) => sightOf('sent', transfer))
    case 'streamflow':
      return []
  }
}

function readTransfer(log: Log): Transfer[] {
  const moved = transferIn(log)
  return moved === null || moved.amount === 0n ? [] : [{ log, to: moved.to, amount: moved.amount }]
}

function readUniswap(log: Log): Claim[] {
  const { topics, data } = log
  if (topics[0] !== UNISWAP_CLAIMED || topics.length !== 1 || !hasWords(data, 3)) return []
  const owner = addressAt(data, 1)
  const claimed = numberAt(data, 2)
  return [{ log, place: placeAt(data, 0), owner, claimed, receiver: owner, isStreamed: false }]
}

function readSablier(log: Log): Claim[] {
  const { topics, data } = log
  const [kind = '', recipient = ''] = topics
  const isStreamed = TO_STREAM.includes(kind) && topics.length === 3
  const isPaid = TO_WALLET.includes(kind) && topics.length === 2
  if ((!isStreamed && !isPaid) || !hasWords(data, 4)) return []
  return [
    {
      log,
      place: placeAt(data, 0),
      owner: addressIn(recipient),
      claimed: numberAt(data, 1),
      receiver: addressAt(data, 2),
      isStreamed,
    },
  ]
}

function readClawback(log: Log): Sight[] {
  const { topics, data } = log
  if (topics[0] !== CLAWBACK || topics.length !== 3 || !hasWords(data, 1)) return []
  const taken = { log, to: addressIn(topics[2] ?? ''), amount: numberAt(data, 0) }
  return [sightOf('swept', taken, null)]
}

/** A campaign's id, of 16 bytes, as the topic of an event. */
function campaignTopic(campaign: string): string {
  return campaign.padEnd('0x'.length + 64, '0')
}

/**
 * Hedgey's claims have the campaign and then the claimer as topics, and a locked claim also has its
 * plan. Each is emitted after the transfer that pays it, to the claimer or into a plan of theirs;
 * one transaction can claim from several campaigns.
 */
function readHedgey(log: Log, transfers: ReadonlyMap<string, Transfer[]>): Sight[] {
  const [, , claimer] = log.topics
  const beside = transfers.get(log.transactionHash) ?? []
  const paid = beside.findLast((transfer) => transfer.log.logIndex < log.logIndex)
  if (claimer === undefined || paid === undefined) return []
  const { amount } = paid
  const claim = sightOf('claimed', { log, to: addressIn(claimer), amount })
  return [{ ...claim, claimed: amount }]
}

/** Matches each claim with the transfer that paid it, and no transfer with two of them. */
function withTransfers(claims: readonly Claim[], transfers: readonly Transfer[]): Sight[] {
  const open = byTransaction(transfers)
  return claims.map(({ log, isStreamed, ...claim }) => {
    const beside = open.get(log.transactionHash) ?? []
    const nth = beside.findIndex(({ to }) => isStreamed || to === claim.receiver)
    const [transfer] = nth === -1 ? [] : beside.splice(nth, 1)
    return { kind: 'claimed', ...claim, amount: transfer?.amount ?? 0n, ...placeOf(log) }
  })
}

/**
 * What left without a readable event. If the contract pays only to the wallets of its rows, its
 * owner has taken it back; if it pays elsewhere too, it may be anybody's.
 */
function unexplained(
  kind: 'swept' | 'unknown',
  known: readonly { log: Log }[],
  transfers: readonly Transfer[],
): Sight[] {
  const explained = new Set(known.map(({ log }) => log.transactionHash))
  return transfers
    .filter(({ log }) => !explained.has(log.transactionHash))
    .map((transfer) => sightOf(kind, transfer))
}

/** A transfer as what was done with it; its owner is whoever got it, unless it was swept. */
const sightOf = (
  kind: Sight['kind'],
  { log, to, amount }: Transfer,
  owner: string | null = to,
) => ({
  kind,
  place: null,
  owner,
  receiver: to,
  claimed: null,
  amount,
  ...placeOf(log),
})

const placeOf = ({ transactionHash, logIndex, blockNumber, blockHash }: Log): Place => ({
  transactionHash,
  logIndex: Number(logIndex),
  blockHeight: blockNumber,
  blockHash,
})

function byTransaction(transfers: readonly Transfer[]): Map<string, Transfer[]> {
  return Map.groupBy(transfers, ({ log }) => log.transactionHash)
}

/** Null for a number that no row can have. */
function placeAt(data: string, place: number): number | null {
  const value = numberAt(data, place)
  return value <= BigInt(2 ** 31 - 1) ? Number(value) : null
}

function inOrder(one: { log: Log }, other: { log: Log }): number {
  const [a, b] = [one.log, other.log]
  if (a.blockNumber !== b.blockNumber) return a.blockNumber < b.blockNumber ? -1 : 1
  return Number(a.logIndex - b.logIndex)
}
