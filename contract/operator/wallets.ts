import { walletProofs } from '#domain/delivery/wallet.ts'
import { WalletAddress } from '#contract/delivery/wallets.ts'
import { operatorEndpoint } from '#contract/endpoint.ts'
import { Instant } from '#contract/values.ts'
import { Id } from '#contract/shapes.ts'
import * as z from 'zod/mini'
import { OperatorHeaders, Reason } from './shapes.ts'

/** A buyer's receiving wallets, as operators see them. */
export const OperatorWallets = z.object({
  user_id: Id,
  /** Null if none is in effect. */
  address: z.nullable(z.string()),
  /** True if the books are closed: its owner can no longer change it, but two operators can. */
  is_frozen: z.boolean(),
  /** The address in the newest snapshot; null if there is none, or if they owned nothing in it. */
  frozen_address: z.nullable(z.string()),
  /** True if another account also has this address in effect: they get one row together. */
  is_shared: z.boolean(),
  /** Changes that operators requested and that wait for a second person, oldest first. */
  asked_changes: z.array(
    z.object({
      approval_id: Id,
      address: z.string(),
      asked_by: z.nullable(z.string()),
      asked_date: Instant,
    }),
  ),
  /** All wallets that were ever set or requested, newest first. */
  wallets: z.array(
    z.object({
      address: z.string(),
      chain_id: z.int(),
      proof: z.enum(walletProofs),
      set_date: Instant,
      effective_date: Instant,
      cancelled_date: z.nullable(Instant),
    }),
  ),
})
export type OperatorWallets = z.output<typeof OperatorWallets>

const UserParams = z.strictObject({ id: z.string() })

export const operatorWalletsContract = {
  getUserWallets: operatorEndpoint({
    method: 'GET',
    path: '/operator/users/{id}/wallets',
    permission: 'delivery.read',
    summary:
      'Returns where the tokens of the user with this id go, and every wallet they ever named.',
    params: UserParams,
    result: OperatorWallets,
  }),
  changeUserWallet: operatorEndpoint({
    method: 'POST',
    path: '/operator/users/{id}/wallets/change',
    permission: 'delivery.manage',
    summary:
      'Changes where a user’s tokens go, after the owners were frozen. It waits for a second ' +
      'person in the console, even with the server’s token, and the user gets a mail.',
    params: UserParams,
    headers: OperatorHeaders,
    body: z.strictObject({
      address: WalletAddress,
      reason: Reason('Say in a few words why the wallet is changed'),
    }),
    result: OperatorWallets,
    mayWait: true,
    errors: ['WalletNotFrozen', 'WalletChanged'],
  }),
}
