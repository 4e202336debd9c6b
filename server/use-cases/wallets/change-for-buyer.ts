import { Refusal, wrongField } from '#domain/refusal.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import {
  cancelWaiting,
  findFrozen,
  findWallets,
  holdSnapshots,
  insertWallet,
  isShared,
  isUser,
  listWalletRecords,
  lockOwner,
} from '#server/database/delivery/wallets.ts'
import { listWaitingAbout } from '#server/database/operators/approvals.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { actOrWait, requireApproval } from '#server/use-cases/approvals/require-approval.ts'
import { noteOpened } from '#server/use-cases/audit/note-opened.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { readWalletAddress, requireDelivery, snapshotUnderWay } from './own-wallet.ts'
import { mailAboutWallet, newWallet } from './set-wallet.ts'

/** A buyer's wallets, as operators see them. */
export type UserWallets = Awaited<ReturnType<typeof viewWallets>>

/** Where the tokens of a user go, including erased users. */
export async function getUserWallets(services: Services, userId: string, operator: Operator) {
  requireDelivery(services)
  if (!isId(userId) || !(await isUser(services.database, userId))) throw noSuchUser()
  await noteOpened(services, operator, { userId })
  return await viewWallets(services, userId)
}

/**
 * Changes where a user's tokens go, for somebody who lost a wallet after the books were closed,
 * including erased users. It always waits for a second person, even when requested with the
 * server's token: throws `WaitsForApproval`. The owner is mailed at that point, and once it is
 * done. Refuses with `NotFound`, `InvalidInput`, `WalletNotFrozen`, and with `WalletChanged` if the
 * tokens no longer go to `former`, the address that was approved.
 */
export async function changeForBuyer(
  services: Services,
  wanted: { userId: string; address: string; reason: string; former?: string | null },
  operator: Operator,
): Promise<UserWallets> {
  const { userId, reason } = wanted
  const { clock } = services
  requireDelivery(services)
  if (!isId(userId)) throw noSuchUser()
  const address = await readWalletAddress(services, wanted.address)
  await actOrWait(services, operator, async (transaction) => {
    if (!(await lockOwner(transaction, userId))) throw noSuchUser()
    if (!(await holdSnapshots(transaction))) throw snapshotUnderWay()
    if ((await findFrozen(transaction, userId)) === null) throw new Refusal('WalletNotFrozen')
    const now = clock.now()
    const found = await findWallets(transaction, userId, now)
    const former = found.current?.address ?? null
    if (wanted.former !== undefined && wanted.former !== former) throw new Refusal('WalletChanged')
    if (former === address) throw wrongField('address', 'The tokens already go to this wallet')
    const waits = await requireApproval(services, transaction, operator, {
      act: 'changeUserWallet',
      input: { id: userId, address, reason, former },
      summary: `Change a buyer’s receiving wallet to ${address}`,
      about: userId,
      usd: null,
    })
    if (waits !== null) {
      // If requested again, it is the same approval and the same mail.
      const { id } = waits.approval
      await enqueueMail(transaction, {
        userId,
        kind: 'wallet_change_asked',
        params: { approval_id: id },
        uniqueKey: `wallet_change_asked:${id}`,
        at: now,
      })
      return waits
    }
    await cancelWaiting(transaction, userId, now)
    const wallet = newWallet(services, { userId, address, proof: null, found, waits: false })
    await insertWallet(transaction, wallet)
    await mailAboutWallet(transaction, wallet, 'wallet_set_for_you', now)
    await recordAction(services, transaction, operator, {
      act: 'changeUserWallet',
      userId,
      details: { address, former: former ?? '', reason },
    })
    return null
  })
  return await viewWallets(services, userId)
}

async function viewWallets({ database, clock }: Services, userId: string) {
  const now = clock.now()
  const { current } = await findWallets(database, userId, now)
  const frozen = await findFrozen(database, userId)
  return {
    userId,
    address: current?.address ?? null,
    isFrozen: frozen !== null,
    frozenAddress: frozen?.address ?? null,
    isShared: current !== null && (await isShared(database, current.address, userId)),
    askedChanges: await listWaitingAbout(database, {
      acts: ['changeUserWallet'],
      about: [userId],
      now,
    }),
    wallets: await listWalletRecords(database, userId),
  }
}

function noSuchUser(): Refusal {
  return new Refusal('NotFound', { message: 'There is no user with this id' })
}
