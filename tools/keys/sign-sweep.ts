import { HDKey } from '@scure/bip32'
import { checksumAddress, encodeFunctionData, parseAbi } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'

import type { SignedSweep, SweepList } from '#contract/operator/sweeps.ts'
import { formatDecimal, parseDecimal } from '#domain/money.ts'
import { EVM_PATH } from '#server/payments/evm/settings.ts'
import { keyAt, seedOf } from './wallet-keys.ts'

/** A list that is not signed. The message says why, and what to do. */
export class WrongList extends Error {
  override readonly name = 'WrongList'
}

const COIN_DECIMALS = 18
/** No token transfer takes more; a list that says otherwise is suspicious. */
const GAS_MAX = 1_000_000
const GWEI_DECIMALS = 9
/** In gwei: more than gas costs on the chains that sales use, except for minutes. */
export const GAS_GWEI_MAX = '500'
const abi = parseAbi(['function transfer(address to, uint256 value)'])

type Transfer = SweepList['transfers'][number]
type Accounts = { payer: PrivateKeyAccount; at(index: number): PrivateKeyAccount }

/**
 * Signs a list after checking it: it was made on another machine, which may have been tampered
 * with. Every address has to be the key's own, and everything goes to the treasury that the person
 * has named. Throws {@link WrongList} or `WrongWords`.
 * @param treasury From the person's own record.
 * @param gasGweiMax The highest accepted gas price, in gwei.
 */
export async function signSweep(
  list: SweepList,
  words: string,
  treasury: string,
  gasGweiMax: string = GAS_GWEI_MAX,
): Promise<SignedSweep> {
  requireTreasury(list, treasury)
  requirePrice(list, gasGweiMax)
  const accounts = accountsOf(words, list.key_fingerprint)
  requireAddresses(list, accounts)
  requireNonces(list)
  requireGas(list)
  requireTotals(list)
  const gasPrice = BigInt(list.gas_price)
  const shared = { type: 'legacy' as const, chainId: list.chain_id, gasPrice }
  const transactions: string[] = []
  for (const [nth, { address, amount, gas }] of list.fundings.entries()) {
    const to = address as `0x${string}`
    const value = unitsOf(amount, COIN_DECIMALS)
    const nonce = list.payer.nonce + nth
    const funding = { ...shared, to, value, nonce, gas: BigInt(gas) }
    transactions.push(await accounts.payer.signTransaction(funding))
  }
  for (const transfer of list.transfers) {
    const call = { ...shared, nonce: transfer.nonce, gas: BigInt(transfer.gas) }
    const account = accounts.at(transfer.index)
    transactions.push(await account.signTransaction({ ...call, ...moveOf(transfer, treasury) }))
  }
  return {
    kind: 'signed-sweep/1',
    chain_id: list.chain_id,
    treasury,
    summary: summaryOf(list),
    transactions,
  }
}

function moveOf({ contract, amount, decimals }: Transfer, treasury: string) {
  const to = treasury as `0x${string}`
  const units = unitsOf(amount, decimals)
  if (contract === null) return { to, value: units }
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, units] })
  return { to: contract as `0x${string}`, data }
}

/** For the person who signs, in lines: what goes where, and what it costs at most. */
export function summaryOf(list: SweepList): string[] {
  const fee = feesOf(list)
  return [
    `Chain ${list.chain_id}, to the treasury ${list.treasury}`,
    ...list.totals.map(
      ({ symbol, contract, amount, count }) =>
        `${amount} ${symbol} of ${count} addresses${contract === null ? '' : ` (${contract})`}`,
    ),
    `Gas money for ${list.fundings.length} addresses: ${list.payer.needs} from ${list.payer.address}`,
    `Fees of at most ${formatDecimal(fee, COIN_DECIMALS)} in all, at ` +
      `${formatDecimal(BigInt(list.gas_price), GWEI_DECIMALS)} gwei`,
    `Made at ${list.made_date}, ${list.fundings.length + list.transfers.length} transactions`,
  ]
}

function feesOf({ fundings, transfers, gas_price: gasPrice }: SweepList): bigint {
  return [...fundings, ...transfers].reduce(
    (sum, { gas }) => sum + BigInt(gas) * BigInt(gasPrice),
    0n,
  )
}

function requireTreasury(list: SweepList, treasury: string): void {
  const isAddress = /^0x[0-9a-fA-F]{40}$/.test(treasury)
  if (!isAddress || checksumAddress(treasury as `0x${string}`) !== treasury) {
    throw new WrongList(
      'The treasury has to be typed with the capital letters of its checksum, as its wallet shows it.',
    )
  }
  if (list.treasury !== treasury) {
    throw new WrongList(
      `The list goes to ${list.treasury}, and you named ${treasury}. Sign nothing: find out who ` +
        'changed the treasury.',
    )
  }
  const own = [list.payer, ...list.transfers, ...list.fundings].map(({ address }) => address)
  if (own.includes(treasury)) {
    throw new WrongList('The treasury is an address of this very sale. Name one of another wallet.')
  }
}

function requirePrice({ gas_price: gasPrice }: SweepList, gasGweiMax: string): void {
  const most = parseDecimal(gasGweiMax, GWEI_DECIMALS)
  if (most === null)
    throw new WrongList(`${gasGweiMax} is no price of gas in gwei, such as 30 or 0.5.`)
  if (BigInt(gasPrice) <= most) return
  throw new WrongList(
    `The list pays ${formatDecimal(BigInt(gasPrice), GWEI_DECIMALS)} gwei for gas, and ${gasGweiMax} is ` +
      'the most. Look up what the chain takes now. If it is right, say --gas_gwei_max with your own ' +
      'bound; if not, make a new list.',
  )
}

function accountsOf(words: string, fingerprint: string): Accounts {
  const root = HDKey.fromMasterSeed(seedOf(words))
  const own = keyAt(root, 'EVM_XPUB', EVM_PATH)
  if (own.fingerprint !== fingerprint) {
    throw new WrongList(
      `The list is for the key ${fingerprint}, and these words make ${own.fingerprint}. Type the ` +
        'words of the wallet that the sale receives with.',
    )
  }
  const account = root.derive(EVM_PATH)
  const at = (branch: number, index: number) => {
    const { privateKey } = account.deriveChild(branch).deriveChild(index)
    if (privateKey === null) throw new Error('A private key derives private keys.')
    return privateKeyToAccount(`0x${Buffer.from(privateKey).toString('hex')}`)
  }
  return { payer: at(1, 0), at: (index) => at(0, index) }
}

function requireAddresses({ payer, transfers, fundings }: SweepList, accounts: Accounts): void {
  if (payer.address !== accounts.payer.address) {
    throw new WrongList(
      `The payer of the list is ${payer.address}, and that of these words ${accounts.payer.address}.`,
    )
  }
  const wrong = transfers.find(({ address, index }) => accounts.at(index).address !== address)
  if (wrong !== undefined) {
    throw new WrongList(
      `${wrong.address} is not the address ${wrong.index} of these words. The list is wrong or was ` +
        'changed: sign nothing of it.',
    )
  }
  const swept = new Set(transfers.map(({ address }) => address))
  const strange = fundings.find(({ address }) => !swept.has(address))
  if (strange === undefined) return
  throw new WrongList(`Gas would go to ${strange.address}, from which nothing is swept.`)
}

function requireNonces({ transfers }: SweepList): void {
  for (const own of Map.groupBy(transfers, ({ address }) => address).values()) {
    const first = own[0]?.nonce ?? 0
    const wrong = own.find(({ nonce }, place) => nonce !== first + place)
    if (wrong !== undefined) {
      throw new WrongList(`The nonces of ${wrong.address} are not one after the other.`)
    }
  }
}

/** An address gets no more gas than it needs, and no transfer costs more than it brings. */
function requireGas(list: SweepList): void {
  const gasPrice = BigInt(list.gas_price)
  const fee = ({ gas }: { gas: number }) => BigInt(gas) * gasPrice
  const large = [...list.transfers, ...list.fundings].find(({ gas }) => gas > GAS_MAX)
  if (large !== undefined) throw new WrongList(`${large.gas} gas for ${large.address} is too much.`)
  const dear = list.transfers.find(
    (each) => each.contract === null && unitsOf(each.amount, each.decimals) < fee(each),
  )
  if (dear !== undefined) {
    throw new WrongList(`What ${dear.address} has is less than its fee. Make a new list.`)
  }
  for (const [address, fundings] of Map.groupBy(list.fundings, (each) => each.address)) {
    const own = list.transfers.filter((each) => each.address === address)
    const needed = own.reduce((sum, each) => sum + fee(each), 0n)
    const sent = fundings.reduce((sum, each) => sum + unitsOf(each.amount, COIN_DECIMALS), 0n)
    if (sent > needed) {
      throw new WrongList(`${address} would get more gas money than its transfers may take.`)
    }
  }
  const needs = list.fundings.reduce(
    (sum, each) => sum + unitsOf(each.amount, COIN_DECIMALS) + fee(each),
    0n,
  )
  if (needs !== unitsOf(list.payer.needs, COIN_DECIMALS)) {
    throw new WrongList('What the payer needs is not what the list adds up to.')
  }
}

function requireTotals({ transfers, totals }: SweepList): void {
  const byAsset = Map.groupBy(transfers, ({ contract }) => contract)
  const isRight =
    byAsset.size === totals.length &&
    totals.every(({ contract, amount, count, decimals, symbol }) => {
      const own = byAsset.get(contract) ?? []
      const sum = own.reduce((total, each) => total + unitsOf(each.amount, decimals), 0n)
      const areSame = own.every((each) => each.decimals === decimals && each.symbol === symbol)
      return own.length === count && areSame && sum === unitsOf(amount, decimals)
    })
  if (!isRight) throw new WrongList('The totals of the list are not what its transfers add up to.')
}

function unitsOf(amount: string, decimals: number): bigint {
  const units = parseDecimal(amount, decimals)
  if (units === null) throw new WrongList(`${amount} has more than ${decimals} decimals.`)
  return units
}
