import { formatDecimal } from '#domain/money.ts'
import { type FieldError, Refusal } from '#domain/refusal.ts'
import type { SignedTransfer, SweepSight } from '#server/ports/sweeping.ts'
import { listSweepable as listAddresses } from '#server/database/sweeps/sweeps.ts'
import type { Services } from '#server/services.ts'
import { askNode } from '#server/use-cases/access/ask-node.ts'
import type { Sweepable } from './sweeping-of.ts'

/** A transaction of a file, and its purpose. */
export type CheckedTransfer = SignedTransfer & {
  kind: 'gas' | 'coins' | 'tokens'
  /** One of our addresses: the one that is swept, or the one that gets gas. */
  address: string
  paymentTokenId: string | null
}

export type SignedFile = { chainId: number; transactions: readonly string[] }

/** More faults are usually the same fault again. */
const FAULTS_MAX = 20

/**
 * Reads each transaction of a file and what it would do now: it has to move money from one of our
 * addresses to the treasury, or gas from the payer to one of them, on this chain, with the next
 * nonces, and no more than is there. Refuses with `InvalidInput`, naming each transaction by its
 * place.
 */
export async function checkSigned(
  services: Services,
  { sweeping, chain, treasury }: Sweepable & { treasury: string },
  raw: readonly string[],
): Promise<CheckedTransfer[]> {
  const ours = new Map(
    (await listAddresses(services.database, 'EVM_XPUB')).map(({ address }) => [
      address.toLowerCase(),
      address,
    ]),
  )
  const read = await sweeping.read(raw)
  const tokens = new Map(
    services.sale.paymentTokens
      .filter(({ rail, chainId }) => rail === 'evm' && chainId === chain.chainId)
      .map(({ contract, id }) => [contract?.toLowerCase() ?? null, id]),
  )
  const errors: FieldError[] = []
  const checked = read.flatMap((each, place): CheckedTransfer[] => {
    const found =
      'fault' in each
        ? each.fault
        : classify(each, { ours, tokens, treasury, payer: sweeping.payer, chainId: chain.chainId })
    if (typeof found !== 'string') return [found]
    errors.push(faultAt(place, found))
    return []
  })
  refuseFaults(errors)
  const addresses = [...new Set(checked.map(({ address }) => address))]
  const sight = await askNode(sweeping.look(chain.name, addresses))
  const senders = [...new Set(checked.map(({ from }) => from))]
  const nonces = await askNode(sweeping.nonces(chain.name, senders))
  refuseFaults([...wrongNonces(checked, nonces), ...wrongAmounts(checked, sight)])
  return checked
}

type Known = {
  ours: ReadonlyMap<string, string>
  tokens: ReadonlyMap<string | null, string>
  treasury: string
  payer: string
  chainId: number
}

/** The purpose of a transaction; a sentence if it is not part of a sweep. */
function classify(each: SignedTransfer, known: Known): CheckedTransfer | string {
  const { ours, tokens, treasury, payer } = known
  if (each.chainId !== known.chainId) {
    return `is for chain ${each.chainId}, the others for chain ${known.chainId}`
  }
  if (each.amount === 0n) return 'moves nothing'
  if (each.from === payer) {
    const address = ours.get(each.to.toLowerCase())
    if (address === undefined || each.contract !== null) {
      return `sends the payer's money to ${each.to}, which is not an address of the sale`
    }
    return { ...each, kind: 'gas', address, paymentTokenId: tokens.get(null) ?? null }
  }
  const address = ours.get(each.from.toLowerCase())
  if (address === undefined) {
    return `is signed by ${each.from}, which is neither the payer nor an address of the sale`
  }
  if (each.to !== treasury) return `sends to ${each.to}, which is not the treasury`
  if (each.contract === null) {
    return { ...each, kind: 'coins', address, paymentTokenId: tokens.get(null) ?? null }
  }
  const paymentTokenId = tokens.get(each.contract)
  if (paymentTokenId === undefined) {
    return `moves the token ${each.contract}, which is not one of the sale's`
  }
  return { ...each, kind: 'tokens', address, paymentTokenId }
}

/** Each sender's nonces have to be the next ones, without gaps and each once. */
function wrongNonces(
  checked: readonly CheckedTransfer[],
  nonces: ReadonlyMap<string, bigint>,
): FieldError[] {
  const next = new Map(nonces)
  return checked.flatMap(({ from, nonce }, place) => {
    const expected = next.get(from) ?? 0n
    next.set(from, nonce + 1n)
    if (nonce === expected) return []
    return [
      faultAt(
        place,
        nonce < expected
          ? `has the nonce ${nonce} of ${from}, which is used already. Make a new list and sign that`
          : `has the nonce ${nonce} of ${from}, whose next one is ${expected}. Make a new list`,
      ),
    ]
  })
}

const feeOf = ({ gas, gasPrice }: SignedTransfer) => gas * gasPrice

/** Nobody moves more than is there, and gas is no more than the address needs. */
function wrongAmounts(
  checked: readonly CheckedTransfer[],
  { lying, coin }: SweepSight,
): FieldError[] {
  const coins = (amount: bigint) => `${formatDecimal(amount, coin.decimals)} ${coin.symbol}`
  const placed = checked.map((each, place) => ({ each, place }))
  return [...Map.groupBy(placed, ({ each }) => each.address)].flatMap(([address, own]) => {
    const errors: FieldError[] = []
    const fees = own.reduce((sum, { each }) => sum + (each.kind === 'gas' ? 0n : feeOf(each)), 0n)
    let gas = 0n
    let spent = fees
    for (const { each, place } of own) {
      if (each.kind === 'gas') {
        gas += each.amount
        if (gas > fees) {
          errors.push(
            faultAt(place, `sends ${address} more than its transfers cost, ${coins(fees)}`),
          )
        }
      }
      if (each.kind === 'coins') spent += each.amount
      if (each.kind !== 'tokens') continue
      const held = lying.find(
        (one) => one.address === address && one.asset.contract === each.contract,
      )
      if (each.amount <= (held?.amount ?? 0n)) continue
      const { decimals, symbol } = held?.asset ?? { decimals: 0, symbol: 'of this token' }
      const has = formatDecimal(held?.amount ?? 0n, decimals)
      errors.push(
        faultAt(place, `moves more than ${address} has, ${has} ${symbol}. Make a new list`),
      )
    }
    const held = lying.find((one) => one.address === address && one.asset.contract === null)
    const has = (held?.amount ?? 0n) + gas
    const last = own.at(-1)
    if (spent > has && last !== undefined) {
      errors.push(faultAt(last.place, `takes ${coins(spent)}, and ${address} has ${coins(has)}`))
    }
    return errors
  })
}

function faultAt(place: number, message: string): FieldError {
  return { path: `transactions.${place}`, message: `Transaction ${place + 1} ${message}` }
}

function refuseFaults(errors: readonly FieldError[]): void {
  if (errors.length > 0) {
    throw new Refusal('InvalidInput', { errors: errors.slice(0, FAULTS_MAX) })
  }
}
