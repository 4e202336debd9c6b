import { LAST_CHARACTERS, WALLET_COOL_OFF_MS } from '#domain/delivery/wallet.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import { closeUserLinks, findOpenLink, insertLink } from '#server/database/accounts/links.ts'
import { enqueueMail, type MailKind } from '#server/database/books/outbox.ts'
import {
  cancelWaiting,
  findFrozen,
  findWallets,
  holdSnapshots,
  insertWallet,
  takeChallenge,
  type WalletRow,
  type WalletsOf,
} from '#server/database/delivery/wallets.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Caller, Client } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import {
  clearCodeTries,
  lockProvedOwner,
  type OwnerProof,
  requireOwnerProof,
} from '#server/use-cases/access/user-account.ts'
import { hashToken, linkTokenOf } from '#server/use-cases/access/session-tokens.ts'
import { type CheckedSignature, checkSigned, type Signed } from './check-signed.ts'
import {
  getOwnWallet,
  type OwnWallet,
  readWalletAddress,
  requireDelivery,
  snapshotUnderWay,
} from './own-wallet.ts'
import { connectionOf } from '#domain/accounts/network.ts'
import { lockUser } from '#server/database/accounts/users.ts'

export type WantedWallet = OwnerProof & {
  address: string
  /** As it was shown; null if there was none. */
  former: string | null
  proof?: Signed | undefined
  consent?: Signed | undefined
  lastCharacters?: string | undefined
  isNoExchange: boolean
  isOwnContract: boolean
}

/**
 * Sets the caller's first receiving wallet, or requests another one, which replaces the old one
 * after a period in which that can be cancelled, or at once if the old wallet has signed. A wallet
 * that was pasted can sign afterwards, also once the books are closed, as the tokens stay where
 * they are. The buyer is mailed the whole address.
 */
export async function setWallet(services: Services, wanted: WantedWallet, caller: Caller) {
  const { database, clock, limits } = services
  const { userId } = caller
  requireDelivery(services)
  // Whoever registers with somebody else's address would decide for them where their tokens go.
  if (!caller.user.isEmailVerified) throw new Refusal('EmailNotVerified')
  const code = await requireOwnerProof(services, wanted, caller)
  await limits.take('wallet_set_by_user', userId)
  const address = await readWalletAddress(services, wanted.address)
  // Nodes are queried before anything is locked.
  const seen = await findWallets(database, userId, clock.now())
  const isSame = requireNew(seen, wanted, address)
  if ((seen.current?.address ?? null) !== wanted.former) throw new Refusal('WalletChanged')
  if (!isSame) await requireUnfrozen(database, userId)
  const proof = await checkProof(services, wanted, { userId, address })
  const consent = await checkConsent(services, wanted.consent, { userId, address, seen })
  await database.transaction().execute(async (transaction) => {
    await lockProvedOwner(services, transaction, caller, code)
    if (!(await holdSnapshots(transaction))) throw snapshotUnderWay()
    if (!isSame) await requireUnfrozen(transaction, userId)
    const now = clock.now()
    const found = await findWallets(transaction, userId, now)
    requireNew(found, wanted, address)
    if (found.current?.id !== seen.current?.id) throw new Refusal('WalletChanged')
    for (const signed of [proof, consent]) {
      const isTaken = signed === null || (await takeChallenge(transaction, signed.nonce, now))
      if (!isTaken) throw new Refusal('WalletMessageInvalid')
    }
    const waits = found.current !== null && consent === null && !isSame
    const wallet = newWallet(services, { userId, address, proof, found, waits })
    await insertWallet(transaction, wallet)
    if (waits) await insertCancelLink(services, transaction, wallet)
    await mailAboutWallet(transaction, wallet, waits ? 'wallet_change_waits' : 'wallet_set', now)
  })
  await clearCodeTries(services, caller, code)
  return await getOwnWallet(services, caller)
}

/** A row that takes effect at once, or once the time to cancel it is over. */
export function newWallet(
  { sale, clock, random }: Services,
  wallet: {
    userId: string
    address: string
    proof: CheckedSignature | null
    found: WalletsOf
    waits: boolean
  },
): WalletRow {
  const { userId, address, proof, found, waits } = wallet
  const newest = found.current?.effective_at.getTime() ?? 0
  // Later than the one before, also where both are set within a millisecond.
  const setAt = new Date(Math.max(clock.now().getTime(), newest + 1))
  const block = proof?.by.by === 'contract' ? proof.by.block : null
  return {
    id: random.id(),
    user_id: userId,
    chain_id: BigInt(requireDelivery({ sale }).chainId),
    address,
    proof: proof === null ? 'none' : block === null ? 'signature' : 'contract_signature',
    message: proof?.message ?? null,
    signature: proof?.signature ?? null,
    block_height: block?.height ?? null,
    block_hash: block?.hash ?? null,
    set_at: setAt,
    effective_at: waits ? new Date(setAt.getTime() + WALLET_COOL_OFF_MS) : setAt,
    cancelled_at: null,
  }
}

/** Mails the owner about a wallet, once for each kind. */
export async function mailAboutWallet(
  transaction: DatabaseTransaction,
  { id, user_id: userId }: Pick<WalletRow, 'id' | 'user_id'>,
  kind: MailKind,
  at: Date,
  more: { why?: 'untold' } = {},
): Promise<void> {
  const params = { wallet_id: id, ...more }
  await enqueueMail(transaction, { userId, kind, params, uniqueKey: `${kind}:${id}`, at })
}

/** Refuses what changes nothing. Returns whether only the signature of the same wallet is new. */
function requireNew({ current, waiting }: WalletsOf, { proof }: WantedWallet, address: string) {
  if (waiting !== null) throw new Refusal('WalletChangeWaits')
  const isSame = current?.address === address
  if (isSame && (proof === undefined || current.proof !== 'none')) {
    throw wrongField('address', 'Your tokens already go to this wallet')
  }
  return isSame
}

async function requireUnfrozen(database: Services['database'], userId: string): Promise<void> {
  const frozen = await findFrozen(database, userId)
  if ((frozen?.address ?? null) !== null) throw new Refusal('WalletFrozen')
}

/** Null if the address was pasted, which takes other care. */
async function checkProof(
  services: Services,
  wanted: WantedWallet,
  { userId, address }: { userId: string; address: string },
): Promise<CheckedSignature | null> {
  if (wanted.proof !== undefined) {
    return await checkSigned(services, wanted.proof, { userId, signer: address, receiver: address })
  }
  const last = address.slice(-LAST_CHARACTERS).toLowerCase()
  if (wanted.lastCharacters?.toLowerCase() !== last) {
    const message = `These are not the last ${LAST_CHARACTERS} characters of the address`
    throw wrongField('last_characters', message)
  }
  if (!wanted.isNoExchange) {
    const message = 'Confirm that this is a wallet of your own and not an address of an exchange'
    throw wrongField('is_no_exchange', message)
  }
  const { chainId } = requireDelivery(services)
  if (!wanted.isOwnContract && (await services.wallets.isContract(chainId, address)) === true) {
    throw new Refusal('WalletIsContract')
  }
  return null
}

/** Null if the wallet that was set so far has not been asked. */
async function checkConsent(
  services: Services,
  consent: Signed | undefined,
  { userId, address, seen }: { userId: string; address: string; seen: WalletsOf },
): Promise<CheckedSignature | null> {
  if (consent === undefined) return null
  if (seen.current === null) throw new Refusal('WalletChanged')
  const signer = seen.current.address
  return await checkSigned(services, consent, { userId, signer, receiver: address })
}

/** Its link has the id of what it cancels. The token is only in the mails. */
async function insertCancelLink(
  { settings }: Services,
  transaction: DatabaseTransaction,
  { id, user_id, set_at, effective_at }: WalletRow,
): Promise<void> {
  await insertLink(transaction, {
    id,
    user_id,
    purpose: 'cancel_wallet',
    token_hash: hashToken(linkTokenOf(settings.secretKey, id)),
    created_at: set_at,
    expires_at: effective_at,
  })
}

/** Cancels the caller's waiting change, if there is one. */
export async function cancelChange(services: Services, caller: Caller): Promise<OwnWallet> {
  requireDelivery(services)
  await services.database.transaction().execute(async (transaction) => {
    if (!(await lockUser(transaction, caller.userId))) throw new Refusal('Unauthenticated')
    await cancelWithin(services, transaction, caller.userId)
  })
  return await getOwnWallet(services, caller)
}

/**
 * Cancels a change through the mailed link: whoever reads the owner's mail can stop it, even if a
 * thief has the account.
 */
export async function cancelChangeByLink(services: Services, token: string, client: Client) {
  const { database, clock, limits } = services
  await limits.take('link_by_address', connectionOf(client.address))
  const link = await findOpenLink(database, 'cancel_wallet', hashToken(token), clock.now())
  if (link === null) throw new Refusal('LinkInvalid')
  await database.transaction().execute(async (transaction) => {
    if (!(await lockUser(transaction, link.user_id))) throw new Refusal('LinkInvalid')
    // The waiting change is the one that the link is for: a newer change voids earlier links.
    const cancelled = await cancelWithin(services, transaction, link.user_id)
    if (cancelled?.id !== link.id) throw new Refusal('LinkInvalid')
  })
}

async function cancelWithin({ clock }: Services, transaction: DatabaseTransaction, userId: string) {
  const now = clock.now()
  const cancelled = await cancelWaiting(transaction, userId, now)
  if (cancelled === null) return null
  await closeUserLinks(transaction, userId, 'cancel_wallet', now)
  await mailAboutWallet(transaction, cancelled, 'wallet_change_cancelled', now)
  return cancelled
}
