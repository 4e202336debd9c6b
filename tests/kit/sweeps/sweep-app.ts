import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { sql } from 'kysely'
import { privateKeyToAccount } from 'viem/accounts'
import { sweepsContract, type SignedSweep, type SweepList } from '#contract/operator/sweeps.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { findChain } from '#server/database/rails/chains.ts'
import { createAddressBook } from '#server/database/rails/derived-addresses.ts'
import { deriveEvmAddress } from '#server/payments/evm/derive-address.ts'
import { parseExtendedKey } from '#server/payments/keys/extended-key.ts'
import type { ExtendedKey } from '#server/payments/keys/extended-key.ts'
import { carrySweeps } from '#server/use-cases/sweeps/carry-sweeps.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { signSweep } from '#tools/keys/sign-sweep.ts'
import type { Anvil } from '#tests/kit/servers/anvil.ts'
import { CONFIRMATIONS, startEvmApp } from '#tests/kit/servers/evm-app.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

/** The words that BIP-39 gives as an example. */
export const WORDS = `${'abandon '.repeat(11)}about`
/** Of another wallet. */
export const TREASURY = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const account = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS)).derive("m/44'/60'/0'")
const key = parseExtendedKey(account.publicExtendedKey, {
  name: 'EVM_XPUB',
  prefixes: ['xpub'],
  path: "m/44'/60'/0'",
}) as ExtendedKey

/** Signs for whoever has the words. */
export function keyOf(branch: 0 | 1, index: number) {
  const { privateKey } = account.deriveChild(branch).deriveChild(index)
  return privateKeyToAccount(`0x${Buffer.from(privateKey ?? []).toString('hex')}`)
}
export const PAYER = keyOf(1, 0).address

/** A server that takes payments at the addresses of {@link WORDS}. */
export async function startSweepApp(
  anvil: Anvil,
  tokens: readonly PaymentToken[],
  environment: Record<string, string> = {},
  open?: TestApp['open'],
): Promise<TestApp> {
  return await startEvmApp({
    nodes: { [anvil.chainId]: anvil.url },
    tokens,
    ...(open && { open }),
    environment: {
      EVM_XPUB: account.publicExtendedKey,
      [`EVM_TREASURY_${anvil.chainId}`]: TREASURY,
      ...environment,
    },
  })
}

/** Addresses that were given to purchases long ago. */
export async function takeAddresses({ open, services }: TestApp, count: number): Promise<string[]> {
  const book = createAddressBook(open.database, () => services.clock.now())
  const taken: string[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const { address } = await book.take(key, 'eip155:1', (index) => deriveEvmAddress(key, index))
    taken.push(address)
  }
  return taken
}

export async function giveGas(anvil: Anvil, wei: bigint): Promise<void> {
  await anvil.send({ to: PAYER, value: wei })
  await anvil.mine()
}

export async function listSweep({ client }: TestApp, query: Record<string, string> = {}) {
  const input = { query: { chain_id: '1', ...query } }
  return (await client.call(sweepsContract.listSweep, input, operator)).body
}

export async function signed(list: SweepList): Promise<SignedSweep> {
  return await signSweep(list, WORDS, TREASURY)
}

/** The reply to the call, whatever it is. */
export function tryToSend({ client }: TestApp, file: unknown) {
  const input = { headers: named, body: { text: JSON.stringify(file) } }
  return client.call(sweepsContract.sendSweep, input, operator)
}

export async function report({ client }: TestApp) {
  return (await client.call(sweepsContract.getSweeps, {}, operator)).body
}

/** Reads the chain until nothing is left of it, however long one reading may take. */
async function readToEnd({ services }: TestApp, anvil: Anvil): Promise<void> {
  const end = BigInt(await anvil.height())
  for (let reading = 0; reading < 50; reading += 1) {
    await watchChains(services)
    if (((await findChain(services.database, 'eip155:1'))?.height ?? 0n) >= end) return
  }
}

/** Lets the server work and blocks come until the newest sweep is closed. Returns how it ended. */
export async function carryOn(app: TestApp, anvil: Anvil, rounds = 60) {
  for (let round = 0; round < rounds; round += 1) {
    await carrySweeps(app.services)
    await anvil.mine()
    const { rows } = await sql`select from sweeps where state = 'open'`.execute(app.open.database)
    if (rows.length === 0) break
  }
  await anvil.mine(CONFIRMATIONS)
  await readToEnd(app, anvil)
  const [sweep] = (await report(app)).sweeps
  if (sweep === undefined) throw new Error('There is no sweep.')
  return sweep
}
