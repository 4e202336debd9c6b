import { Address, Transaction } from '@scure/btc-signer'
import type { BTC_NETWORK } from '@scure/btc-signer/utils.js'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { formatDecimal } from '#domain/money.ts'
import { findFreePort } from '#tools/testing/free-port.ts'

/** A real node of the Bitcoin Core family with its own chain, which mines on request. */
export type Litecoind = {
  /** Including the login. */
  url: string
  rpc<Result = unknown>(method: string, ...params: readonly unknown[]): Promise<Result>
  /** Mines what waits. Returns the hashes of the blocks. */
  mine(blocks?: number): Promise<string[]>
  /** Mines blocks without what waits, or with only these raw transactions. */
  mineOnly(raws?: readonly string[], blocks?: number): Promise<string[]>
  height(): Promise<number>
  /** Pays from the node's wallet, all in one transaction. Returns its hash. */
  pay(...payments: readonly Payment[]): Promise<string>
  /** A coin of the wallet that nothing else will spend. */
  aCoin(): Promise<Coin>
  /** A signed transaction that spends a coin, with change and a fee, and may be replaced. */
  sign(coin: Coin, payments: readonly Payment[], fee?: bigint): Promise<string>
  send(raw: string): Promise<string>
  /** Removes the last blocks. What was in them waits again. */
  drop(blocks: number): Promise<void>
  stop(): Promise<void>
}

/**
 * An address of any coin and network: its script is the same on all of them. One transaction may
 * pay it several times.
 */
type Payment = readonly [address: string, amount: bigint]
type Coin = { txid: string; vout: number; amount: number }

const REGTEST: BTC_NETWORK = { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef }
const LOGIN = 'tests:tests'
const DECIMALS = 8
const FEE = 20_000n
/** A sequence number that lets a transaction be replaced (BIP-125). */
const REPLACEABLE = 0xff_ff_ff_fd
/** Coins can be spent a hundred blocks after the one that created them. */
const FIRST_BLOCKS = 130

/** Once the extension blocks have begun, no block can be mined without a payment into them. */
const WITHOUT_EXTENSION_BLOCKS = '-vbparams=mweb:4102444800:4102444800'

/** @param has.extensionBlocks True for those of Litecoin (MWEB), from block 432 on. */
export async function startLitecoind(has = { extensionBlocks: false }): Promise<Litecoind> {
  const folder = await mkdtemp(join(tmpdir(), 'presale-litecoind-'))
  const port = await findFreePort()
  const child = launch(folder, port, has.extensionBlocks ? [] : [WITHOUT_EXTENSION_BLOCKS])
  const rpc = callerOf(`http://127.0.0.1:${port}`)
  await answering(rpc, child).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  await rpc('createwallet', 'payer')
  const mine: Litecoind['mine'] = async (blocks = 1) =>
    await rpc('generatetoaddress', blocks, await rpc('getnewaddress'))
  await mine(FIRST_BLOCKS)

  return {
    url: `http://${LOGIN}@127.0.0.1:${port}`,
    rpc,
    mine,
    async mineOnly(raws = [], blocks = 1) {
      const hashes: string[] = []
      for (let block = 0; block < blocks; block += 1) {
        const to = await rpc('getnewaddress')
        hashes.push((await rpc<{ hash: string }>('generateblock', to, raws)).hash)
      }
      return hashes
    },
    height: () => rpc('getblockcount'),
    pay: (...payments) => rpc('sendmany', '', outputsOf(payments)),
    async aCoin() {
      const coins = await rpc<(Coin & { confirmations: number })[]>('listunspent', 1)
      // The oldest ones, which no reorganisation makes too young to be spent.
      const [coin] = coins.toSorted((one, other) => other.confirmations - one.confirmations)
      if (coin === undefined) throw new Error('The wallet has no coin left.')
      await rpc('lockunspent', false, [{ txid: coin.txid, vout: coin.vout }])
      return coin
    },
    async sign({ txid, vout, amount }, payments, fee = FEE) {
      const whole = BigInt(Math.round(amount * 10 ** DECIMALS))
      const change = whole - fee - payments.reduce((sum, [, each]) => sum + each, 0n)
      const own = await rpc<string>('getnewaddress')
      const raw = unsigned({ txid, vout }, [...payments, [own, change]])
      return (await rpc<{ hex: string }>('signrawtransactionwithwallet', raw)).hex
    },
    send: (raw) => rpc('sendrawtransaction', raw),
    async drop(blocks) {
      const height = await rpc<number>('getblockcount')
      await rpc('invalidateblock', await rpc('getblockhash', height - blocks + 1))
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function launch(folder: string, port: number, words: readonly string[]): ChildProcess {
  const own = ['-regtest', '-server', '-listen=0', '-fallbackfee=0.0002', '-printtoconsole=0']
  // Tests may make more calls at once than the sixteen that the node queues by default.
  const patient = '-rpcworkqueue=100'
  // Litecoin's nodes replace nothing by default; Bitcoin's do.
  const replacing = '-mempoolreplacement=1'
  const [user, password] = LOGIN.split(':')
  const access = [`-rpcport=${port}`, `-rpcuser=${user}`, `-rpcpassword=${password}`]
  const args = [...own, patient, replacing, `-datadir=${folder}`, ...access, ...words]
  return spawn('litecoind', args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

function callerOf(url: string): Litecoind['rpc'] {
  return async <Result>(method: string, ...params: readonly unknown[]) => {
    const body = JSON.stringify({ id: 1, method, params })
    const authorization = `Basic ${Buffer.from(LOGIN).toString('base64')}`
    const reply = await fetch(url, { method: 'POST', headers: { authorization }, body })
    const answer = (await reply.json()) as { result: Result; error: { message: string } | null }
    if (answer.error !== null) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }
}

async function answering(rpc: Litecoind['rpc'], child: ChildProcess): Promise<void> {
  let failure: Error | null = null
  child.once('error', (error) => {
    failure = new Error('litecoind is not here: install the package litecoind', { cause: error })
  })
  child.once('close', (code) => {
    failure ??= new Error(`litecoind ended with ${code}`)
  })
  for (;;) {
    try {
      await rpc('getblockchaininfo')
      return
    } catch {
      if (failure !== null) throw failure as Error
      await setTimeout(50)
    }
  }
}

/** Sums by address, as the node's own payments require. */
function outputsOf(payments: readonly Payment[]): Record<string, string> {
  return Object.fromEntries(payments.map(([address, amount]) => [regtest(address), coins(amount)]))
}

/** The node itself makes no transaction with two outputs to one address. */
function unsigned(
  { txid, vout: index }: Omit<Coin, 'amount'>,
  payments: readonly Payment[],
): string {
  const transaction = new Transaction({ allowUnknownOutputs: true })
  transaction.addInput({ txid, index, sequence: REPLACEABLE })
  for (const [address, amount] of payments) {
    transaction.addOutputAddress(regtest(address), amount, REGTEST)
  }
  return Buffer.from(transaction.unsignedTx).toString('hex')
}

/** The address by which this chain knows what an address of another network stands for. */
export function regtest(address: string): string {
  for (const network of [BITCOIN, LITECOIN, DOGECOIN, LITECOIN_TESTNET, REGTEST]) {
    try {
      return Address(REGTEST).encode(Address(network).decode(address))
    } catch {
      // It is one of another network.
    }
  }
  throw new Error(`${address} is no address.`)
}

/** The address of Litecoin's own network that stands for what one of this chain does. */
export function mainnet(address: string): string {
  return Address(LITECOIN).encode(Address(REGTEST).decode(address))
}

const BITCOIN: BTC_NETWORK = { bech32: 'bc', pubKeyHash: 0x00, scriptHash: 0x05, wif: 0x80 }
const LITECOIN: BTC_NETWORK = { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 }
const LITECOIN_TESTNET: BTC_NETWORK = {
  bech32: 'tltc',
  pubKeyHash: 0x6f,
  scriptHash: 0x3a,
  wif: 0xef,
}
const DOGECOIN: BTC_NETWORK = { bech32: 'doge', pubKeyHash: 0x1e, scriptHash: 0x16, wif: 0x9e }

function coins(amount: bigint): string {
  return formatDecimal(amount, DECIMALS)
}
