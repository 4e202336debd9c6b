import { type Address, concat, getContractAddress, hashMessage, type Hex, zeroHash } from 'viem'
import { serializeErc6492Signature } from 'viem/utils'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { aVerifiedUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import {
  aKey,
  aMessage,
  DELIVERY_CHAIN_ID,
  deliveringSale,
  setBySignature,
  tryToPaste,
  tryToSet,
  walletOf,
} from '#tests/kit/delivery/a-wallet.ts'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/**
 * A contract wallet (EIP-1271) that takes as the signature of a hash that hash itself:
 * `calldataload(0x64) == calldataload(0x04) ? 0x1626ba7e : 0`.
 */
const RUNTIME = '0x60643560043514631626ba7e0260e01b60005260206000f3'
const INIT: Hex = `0x6018600c60003960186000f3${RUNTIME.slice(2)}`
/** Deploys what follows a salt by CREATE2; anvil has it, as most chains do. */
const FACTORY: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

let anvil: Anvil
let foreign: Anvil
beforeAll(async () => {
  anvil = await startAnvil(DELIVERY_CHAIN_ID)
  foreign = await startAnvil(137)
})
afterAll(async () => {
  await anvil.stop()
  await foreign.stop()
})

let app: TestApp
let ada: RegisteredUser
const start = async (urls: string) => {
  app = await startApp({
    changeSale: deliveringSale,
    environment: { [`EVM_RPC_URL_${DELIVERY_CHAIN_ID}`]: urls },
  })
  ada = await aVerifiedUser(app)
}
beforeEach(() => start(anvil.url))
afterEach(async () => await app.close())

async function deployWallet(): Promise<Address> {
  const hash = await anvil.send({ data: INIT })
  await anvil.mine()
  const receipt = await anvil.rpc<{ contractAddress: Address }>('eth_getTransactionReceipt', [hash])
  return receipt.contractAddress
}

/** Has a contract wallet "sign"; `sign` makes the signature of the message's hash. */
async function trySigned(address: string, sign = (hash: Hex): Hex => hash) {
  const { nonce, message } = await aMessage(app, ada, address)
  const proof = { nonce, signature: sign(hashMessage(message)) }
  return await tryToSet(app, ada, { address, proof })
}

test('a contract wallet is asked at one block, which is kept with its answer', async () => {
  const address = await deployWallet()
  const height = await anvil.height()
  const reply = await trySigned(address)
  expect(reply.body.wallet).toMatchObject({ proof: 'contract_signature' })
  expect(reply.body.checks_contracts).toBe(true)
  const row = await app.open.database
    .selectFrom('receiving_wallets')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(row.block_height).toBe(BigInt(height))
  expect(row.block_hash).toMatch(/^0x[0-9a-f]{64}$/)
})

test('what a contract wallet does not take is wrong', async () => {
  const address = await deployWallet()
  const other = await trySigned(address, () => zeroHash)
  expect(other.refusal.reason).toBe('SignatureWrong')
  const plain = aKey()
  const { nonce, message } = await aMessage(app, ada, address)
  const proof = { nonce, signature: await plain.signMessage({ message }) }
  expect((await tryToSet(app, ada, { address, proof })).refusal.reason).toBe('SignatureWrong')
})

test('a wallet that is not deployed yet is asked as it would be (ERC-6492)', async () => {
  const salt: Hex = `0x${'07'.repeat(32)}`
  const address = getContractAddress({ opcode: 'CREATE2', from: FACTORY, salt, bytecode: INIT })
  const data = concat([salt, INIT])
  const wrap = (signature: Hex) => serializeErc6492Signature({ address: FACTORY, data, signature })
  expect((await trySigned(address, () => wrap(zeroHash))).refusal.reason).toBe('SignatureWrong')
  expect((await trySigned(address, wrap)).body.wallet).toMatchObject({
    address,
    proof: 'contract_signature',
  })
  expect(await anvil.rpc('eth_getCode', [address, 'latest'])).toBe('0x')
})

test('a contract wallet of another chain has signed nothing here', async () => {
  expect((await trySigned(aKey().address)).refusal.reason).toBe('SignatureWrong')
})

test.each([
  ['does not answer', () => 'http://127.0.0.1:9'],
  ['is of another chain', () => foreign.url],
])('what cannot be checked as the node %s is not called wrong', async (_, url) => {
  const address = await deployWallet()
  await app.close()
  await start(url())
  expect((await trySigned(address)).refusal.reason).toBe('SignatureUnchecked')
  expect((await walletOf(app, ada)).wallet).toBeNull()
  // A plain key needs nobody, and where nobody can tell a pasted address is taken.
  expect((await setBySignature(app, ada)).wallet?.proof).toBe('signature')
  expect((await tryToPaste(app, ada, address)).body.change).toMatchObject({ proof: 'none' })
})

test('the second node is asked where the first one does not answer', async () => {
  const address = await deployWallet()
  await app.close()
  await start(`http://127.0.0.1:9 ${anvil.url}`)
  expect((await trySigned(address)).status).toBe(200)
})

test('a contract that was pasted is asked about', async () => {
  const address = await deployWallet()
  expect((await tryToPaste(app, ada, address)).refusal.reason).toBe('WalletIsContract')
  const own = await tryToPaste(app, ada, address, { is_own_contract: true })
  expect(own.body.wallet).toMatchObject({ proof: 'none' })
})

test('a key that acts by a contract’s code is a plain wallet (EIP-7702)', async () => {
  const key = aKey()
  const contract = await deployWallet()
  await anvil.rpc('anvil_setCode', [key.address, `0xef0100${contract.slice(2)}`])
  expect((await tryToPaste(app, ada, key.address)).status).toBe(200)
  const eve = await aVerifiedUser(app)
  expect((await setBySignature(app, eve, key)).wallet?.proof).toBe('signature')
})
