import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'

import { type ReceivingWallet, walletsContract } from '#contract/delivery/wallets.ts'
import type { InputOf } from '#contract/endpoint.ts'
import type { Sale } from '#domain/sale/sale.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'
import type { RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { writeSnapshot } from './a-snapshot.ts'

type Owner = Pick<RegisteredUser, 'as' | 'password'>
type Wanted = InputOf<typeof walletsContract.setWallet>['body']

/** The chain that the tokens of {@link deliveringSale} are delivered on. */
export const DELIVERY_CHAIN_ID = 1

/** The shipped sale, whose tokens are delivered on Ethereum. */
export function deliveringSale(sale: Sale): Sale {
  const delivery = { chain: 'ERC20', chainId: DELIVERY_CHAIN_ID, decimals: 18, treasury: null }
  return { ...sale, delivery }
}

/** A wallet with a plain key. */
export function aKey(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey())
}

/** A wallet's reply when asked to sign that the user's tokens go to it, or elsewhere. */
export async function signed(
  app: TestApp,
  user: Owner,
  key: PrivateKeyAccount,
  receiver?: string,
): Promise<{ nonce: string; signature: string }> {
  const { nonce, message } = await aMessage(app, user, key.address, receiver)
  return { nonce, signature: await key.signMessage({ message }) }
}

export async function aMessage(app: TestApp, user: Owner, signer: string, receiver?: string) {
  const body = { signer, ...(receiver !== undefined && { receiver }) }
  return (await app.client.call(walletsContract.writeWalletMessage, { body }, user.as)).body
}

/** The reply to setting a wallet, whatever it is. */
export async function tryToSet(app: TestApp, user: Owner, wanted: Partial<Wanted>) {
  const { client, services } = app
  // As the page does, which shows the wallet first.
  const shown =
    wanted.former === undefined && services.sale.delivery !== null
      ? (await walletOf(app, user)).wallet?.address
      : wanted.former
  const body = { address: '', password: user.password, ...wanted, former: shown ?? null }
  return await client.call(walletsContract.setWallet, { body }, user.as)
}

/** The same for a pasted address, with the required precautions. */
export function tryToPaste(
  app: TestApp,
  user: Owner,
  address: string,
  change: Partial<Wanted> = {},
) {
  const last = address.slice(-6)
  const pasted = { address, last_characters: last, is_no_exchange: true, ...change }
  return tryToSet(app, user, pasted)
}

/** Sets a wallet with its own signature; a change then waits. */
export async function setBySignature(
  app: TestApp,
  user: Owner,
  key = aKey(),
): Promise<ReceivingWallet> {
  const proof = await signed(app, user, key)
  return (await tryToSet(app, user, { address: key.address, proof })).body
}

export async function walletOf({ client }: TestApp, user: Pick<Owner, 'as'>) {
  return (await client.call(walletsContract.getOwnWallet, {}, user.as)).body
}

export function tryToCancel({ client }: TestApp, user: Pick<Owner, 'as'>) {
  return client.call(walletsContract.cancelWalletChange, {}, user.as)
}

export function tryToCancelByLink({ client }: TestApp, token: string) {
  return client.call(walletsContract.cancelWalletChangeByLink, { body: { token } })
}

/** Puts a snapshot into the database in which these users own a token each. */
export async function freeze(
  app: TestApp,
  owners: readonly { id: string; address: string | null }[],
): Promise<void> {
  const owned = owners.map(({ id, address }) => ({ userId: id, tokens: 1n, wallet: address }))
  await writeSnapshot(app, owned)
}
