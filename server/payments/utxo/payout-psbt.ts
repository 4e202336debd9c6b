import { base64, hex } from '@scure/base'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { formatDecimal } from '#domain/money.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { ExtendedKey } from '#server/payments/keys/extended-key.ts'
import type { KeyOrigin } from '#server/payments/keys/key-origin.ts'
import { nameOfFile, requireSound } from '#server/payments/payouts/payout-text.ts'
import type {
  Payout,
  PayoutBatch,
  PayoutFile,
  PayoutRecord,
  Received,
} from '#server/ports/payouts.ts'
import { type Coin, DECIMALS } from './coins.ts'
import type { UtxoNode } from './node.ts'
import { isAnySpent } from './find-payouts.ts'
import { decodeAddress, dustOf, outputSize } from './payout-addresses.ts'

type Line = { coin: Coin; key: ExtendedKey; origin: KeyOrigin }

/** One of our outputs that can be spent. */
type Spendable = Received & { script: Uint8Array; previous: Uint8Array | null }

/** The account's branches for payments and for change (BIP 84). */
const EXTERNAL = 0
const INTERNAL = 1
/** The virtual bytes of a transaction without inputs and outputs, and of an input (P2WPKH). */
const EMPTY_SIZE = 11n
const INPUT_SIZE = 68n
const RATE_SIZE = 1_000n
/** 1,000 base units per virtual byte: nobody intends to pay more, whatever a node says. */
const RATE_MAX = 1_000_000n
/** With more inputs, nodes do not relay the transaction. */
const INPUTS_MAX = 1_000
/** It may be replaced with one that pays a higher fee (BIP 125). */
const REPLACEABLE = 0xff_ff_ff_fd

/**
 * An unsigned transaction (BIP 174) that pays a batch from what the sale has received, with what
 * signers need to recognise their keys. A batch has one for ever: its coins are spent once, so that
 * no two can both be paid.
 */
export async function makePsbtFile(
  node: UtxoNode,
  line: Line,
  record: PayoutRecord,
  batch: PayoutBatch,
): Promise<PayoutFile> {
  requireSound(batch)
  const former = await record.psbts.find(batch.id)
  const psbt = former ?? (await makePsbt(node, line, record, batch))
  const transaction = readPsbt(psbt)
  if (former !== null) {
    requireSamePayouts(line.coin, batch, transaction)
    await requireUnspent(node, transaction)
  }
  const { symbol, path } = line.coin
  return {
    name: nameOfFile(batch, '.psbt'),
    mediaType: 'text/plain',
    text: `${psbt}\n`,
    note:
      `For a wallet that has the key ${path}, which receives the sale’s payments. It pays a ` +
      `fee of ${formatDecimal(transaction.fee, DECIMALS)} ${symbol}. Sign it within the hour, ` +
      'and compare the number of outputs (one more is the change) and the sum with the ' +
      'manifest.',
  }
}

async function makePsbt(
  node: UtxoNode,
  line: Line,
  record: PayoutRecord,
  batch: PayoutBatch,
): Promise<string> {
  const { coin, key, origin } = line
  const rate = await node.feeRate()
  if (rate === null || rate > RATE_MAX) {
    throw new Unavailable(`The node at ${node.host} does not say what fee is usual`)
  }
  const outputs = batch.payouts.map(({ address, amount }) => {
    const decoded = decodeAddress(coin, address)
    if (decoded === null) throw new Error('An address of a payout was checked when it was taken.')
    return { script: hex.decode(decoded.script), amount, size: outputSize(decoded.kind) }
  })
  const changeIndex = await record.psbts.nextChangeIndex(key)
  const changeKey = key.publicKeyAt(INTERNAL, changeIndex)
  const change = p2wpkh(changeKey, coin.network)
  const sizeOf = (inputs: number) =>
    outputs.reduce((sum, { size }) => sum + size, EMPTY_SIZE + outputSize('wpkh')) +
    INPUT_SIZE * BigInt(inputs)
  const feeOf = (inputs: number) => (sizeOf(inputs) * rate + RATE_SIZE - 1n) / RATE_SIZE

  const sum = outputs.reduce((total, { amount }) => total + amount, 0n)
  const inputs = await selectInputs(node, line, record, batch, (count) => sum + feeOf(count))
  const left = inputs.reduce((total, { amount }) => total + amount, 0n) - sum - feeOf(inputs.length)

  const transaction = new Transaction()
  const path = (branch: number, index: number) => [...origin.path, branch, index]
  const { fingerprint } = origin
  for (const { transactionHash: txid, index, derivationIndex, ...input } of inputs) {
    const publicKey = key.publicKeyAt(EXTERNAL, derivationIndex)
    transaction.addInput({
      txid,
      index,
      sequence: REPLACEABLE,
      witnessUtxo: { script: input.script, amount: input.amount },
      // Hardware wallets need the whole transaction, to be sure of the amount.
      ...(input.previous !== null && { nonWitnessUtxo: input.previous }),
      bip32Derivation: [[publicKey, { fingerprint, path: path(EXTERNAL, derivationIndex) }]],
    })
  }
  for (const { script, amount } of outputs) transaction.addOutput({ script, amount })
  if (left >= dustOf(coin, change.address)) {
    transaction.addOutput({
      script: change.script,
      amount: left,
      bip32Derivation: [[changeKey, { fingerprint, path: path(INTERNAL, changeIndex) }]],
    })
  }
  const psbt = base64.encode(transaction.toPSBT(0))
  return await record.psbts.keep({ batchId: batch.id, psbt, key, changeIndex })
}

/** Which coins other batches' PSBTs require to be spent here, and which must not be. */
type OtherCoins = {
  /** Coins of batches that are on their way, which are left to them. */
  reserved: ReadonlySet<string>
  /**
   * By batch, the coins that are not reserved of each PSBT that pays one of the same claims. Once
   * one of them is spent here, that PSBT can no longer be paid, whoever has signed it.
   */
  required: ReadonlyMap<bigint, readonly string[]>
  /** Coins of cancelled batches. Used last: once spent elsewhere, they protect no successor. */
  former: ReadonlySet<string>
}

async function otherCoins(
  node: UtxoNode,
  coin: Coin,
  record: PayoutRecord,
  { id, chain, payouts }: PayoutBatch,
): Promise<OtherCoins> {
  const ids = payouts.map((payout) => payout.id)
  const outputs = new Set(payouts.map((payout) => outputOf(coin, payout)))
  const others = (await record.psbts.listOthers(chain, id, ids)).map(({ psbt, ...other }) => {
    const transaction = readPsbt(psbt)
    const coins = inputsOf(transaction).map(({ name }) => name)
    const hasLost =
      other.hasLost ||
      (other.state === 'cancelled' && outputsOf(transaction).some((output) => outputs.has(output)))
    const isOnItsWay = !hasLost && (other.state === 'open' || other.state === 'sent')
    return { ...other, coins, hasLost, isOnItsWay }
  })
  const coinsOf = (isMeant: (other: (typeof others)[number]) => boolean) =>
    new Set(others.filter(isMeant).flatMap(({ coins }) => coins))
  const reserved = coinsOf(({ isOnItsWay }) => isOnItsWay)
  const paid = coinsOf(({ state }) => state === 'confirmed')
  const required = new Map<bigint, readonly string[]>()
  for (const { batchId, coins } of others.filter(({ hasLost }) => hasLost)) {
    // If a batch that was paid has spent one of its coins, it can no longer be confirmed.
    if (
      await isAnySpent(
        node,
        coins.filter((name) => paid.has(name)),
      )
    )
      continue
    const free = coins.filter((name) => !reserved.has(name))
    if (free.length === 0) {
      const holders = others.filter(
        (other) => other.isOnItsWay && other.coins.some((name) => coins.includes(name)),
      )
      const names = holders.map((holder) => holder.batchId).join(' and ')
      throw new Unavailable(
        `The PSBT of batch ${batchId} pays one of these claims too, and could be paid as well ` +
          `as this one: all of its coins are in the PSBT of batch ${names}. Wait until that is ` +
          'confirmed, or cancel it',
      )
    }
    required.set(batchId, free)
  }
  return { reserved, required, former: coinsOf(({ state }) => state === 'cancelled') }
}

/**
 * Confirmed coins of the sale until they are enough, the largest first. Before them come coins
 * spent by a PSBT of a former batch with one of the same claims: whoever has signed that one can
 * then not pay it as well. Coins of other batches are left to them.
 */
async function selectInputs(
  node: UtxoNode,
  { coin, key }: Line,
  record: PayoutRecord,
  batch: PayoutBatch,
  neededOf: (inputs: number) => bigint,
): Promise<Spendable[]> {
  const { reserved, required: formers, former } = await otherCoins(node, coin, record, batch)
  const required = new Set([...formers.values()].flat())
  const nameOf = ({ transactionHash, index }: Received) => `${transactionHash}:${index}`
  const rank = (each: Received) =>
    required.has(nameOf(each)) ? 0 : former.has(nameOf(each)) ? 2 : 1
  const ordered = (await record.listReceived(batch.chain, key))
    .filter((each) => !reserved.has(nameOf(each)))
    .toSorted(
      (one, other) =>
        rank(one) - rank(other) ||
        (one.amount > other.amount ? -1 : one.amount < other.amount ? 1 : 0) ||
        (nameOf(one) < nameOf(other) ? -1 : 1),
    )
  const chosen: Spendable[] = []
  let sum = 0n
  for (const each of ordered) {
    const isEnough = sum >= neededOf(chosen.length) && !required.has(nameOf(each))
    if (isEnough || chosen.length === INPUTS_MAX) break
    const unspent = await node.unspent(each.transactionHash, each.index)
    const isOurs =
      unspent?.script === decodeAddress(coin, each.address)?.script &&
      unspent?.amount === each.amount
    const isSpendable = unspent !== null && unspent.confirmations >= 1 && isOurs
    // Without a coin of the former PSBT, both that one and this one could be confirmed.
    if (!isSpendable && required.has(nameOf(each))) {
      throw new Unavailable(
        'A cancelled batch with one of these payouts seems to have been sent: coins of its PSBT ' +
          'are spent. Wait until it is found on the chain, and look for its transaction yourself',
      )
    }
    if (!isSpendable) continue
    chosen.push({ ...each, script: hex.decode(unspent.script), previous: null })
    sum += each.amount
  }
  const spent = new Set(chosen.map(nameOf))
  for (const [batchId, coins] of formers) {
    if (coins.some((name) => spent.has(name))) continue
    throw new Unavailable(
      `The PSBT of batch ${batchId} pays one of these claims too, and none of its coins can be spent ` +
        'here, so that both could be paid. Make sure that nobody sends it, and take another file',
    )
  }
  const needed = neededOf(chosen.length)
  if (sum < needed) {
    throw new Unavailable(
      `The batch takes ${formatDecimal(needed, DECIMALS)} ${coin.symbol} with its fee, and the ` +
        `sale’s own confirmed and unspent payments are ${formatDecimal(sum, DECIMALS)}. Take ` +
        'another file, for a wallet that has more',
    )
  }
  return await withPrevious(node, chosen)
}

/** With the transactions that the coins come from, if the node has them. */
async function withPrevious(node: UtxoNode, coins: readonly Spendable[]): Promise<Spendable[]> {
  const heights = [...new Set(coins.map(({ blockHeight }) => blockHeight))]
  const blocks = new Map(
    (await node.blocks(heights)).map(({ number, hash }) => [number, hash] as const),
  )
  const found: Spendable[] = []
  for (const coin of coins) {
    const hash = blocks.get(coin.blockHeight)
    const raw = hash === undefined ? null : await node.rawIn(coin.transactionHash, hash)
    found.push({ ...coin, previous: raw === null ? null : readablePrevious(coin, raw) })
  }
  return found
}

/** Null for a transaction that wallets cannot read, such as one with MWEB parts. */
function readablePrevious({ transactionHash }: Spendable, raw: string): Uint8Array | null {
  try {
    const bytes = hex.decode(raw)
    const options = { allowUnknownInputs: true, allowUnknownOutputs: true }
    return Transaction.fromRaw(bytes, options).id === transactionHash ? bytes : null
  } catch {
    return null
  }
}

/** What a PSBT spends, as `hash:index`. */
export function coinsOfPsbt(psbt: string): string[] {
  return inputsOf(readPsbt(psbt)).map(({ name }) => name)
}

function readPsbt(psbt: string): Transaction {
  return Transaction.fromPSBT(base64.decode(psbt))
}

function inputsOf(transaction: Transaction) {
  return Array.from({ length: transaction.inputsLength }, (_, nth) => {
    const { txid, index } = transaction.getInput(nth)
    if (txid === undefined || index === undefined) throw new Error('An input spends an output.')
    const hash = hex.encode(txid)
    return { hash, index, name: `${hash}:${index}` }
  })
}

/** By script and amount. */
function outputsOf(transaction: Transaction): string[] {
  return Array.from({ length: transaction.outputsLength }, (_, nth) => {
    const { script, amount } = transaction.getOutput(nth)
    return `${hex.encode(script ?? new Uint8Array())} ${amount}`
  })
}

function outputOf(coin: Coin, { address, amount }: Payout): string {
  return `${decodeAddress(coin, address)?.script} ${amount}`
}

/** A batch loses what another one has paid: an earlier PSBT would pay that again. */
function requireSamePayouts(coin: Coin, { payouts }: PayoutBatch, transaction: Transaction): void {
  const wanted = payouts.map((payout) => outputOf(coin, payout))
  const outputs = outputsOf(transaction)
  const isChange = (nth: number) => transaction.getOutput(nth).bip32Derivation !== undefined
  const paid = outputs.filter((_, nth) => !isChange(nth))
  const isSame = paid.toSorted().join() === wanted.toSorted().join()
  if (isSame) return
  throw new Unavailable(
    'This batch has changed since its PSBT was made: cancel it, make another, and do not sign the ' +
      'former PSBT',
  )
}

async function requireUnspent(node: UtxoNode, transaction: Transaction): Promise<void> {
  for (const { hash, index } of inputsOf(transaction)) {
    if ((await node.unspent(hash, index)) !== null) continue
    throw new Unavailable(
      'The coins of this batch’s PSBT have been spent. If that was not the batch itself, cancel it ' +
        'and make another',
    )
  }
}
