import { instantToWire, orNull } from '#contract/codec.ts'
import { type OperatorWallets, operatorWalletsContract } from '#contract/operator/wallets.ts'
import { implement } from '#server/http/routing/implement.ts'
import {
  changeForBuyer,
  getUserWallets,
  type UserWallets,
} from '#server/use-cases/wallets/change-for-buyer.ts'

export const operatorWalletsRoutes = implement(operatorWalletsContract, {
  getUserWallets: async (services, { params }, operator) =>
    presentWallets(await getUserWallets(services, params.id, operator)),
  changeUserWallet: async (services, { params, body }, operator) =>
    presentWallets(await changeForBuyer(services, { userId: params.id, ...body }, operator)),
})

function presentWallets(user: UserWallets): OperatorWallets {
  return {
    user_id: user.userId,
    address: user.address,
    is_frozen: user.isFrozen,
    frozen_address: user.frozenAddress,
    is_shared: user.isShared,
    asked_changes: user.askedChanges.map(({ id, input, asked_name: name, asked_at: askedAt }) => ({
      approval_id: id,
      address: String(input['address']),
      asked_by: name === '' ? null : name,
      asked_date: instantToWire(askedAt),
    })),
    wallets: user.wallets.map((wallet) => ({
      address: wallet.address,
      chain_id: Number(wallet.chain_id),
      proof: wallet.proof,
      set_date: instantToWire(wallet.set_at),
      effective_date: instantToWire(wallet.effective_at),
      cancelled_date: orNull(wallet.cancelled_at, instantToWire),
    })),
  }
}
