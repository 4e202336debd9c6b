import { rowToWire } from '#contract/codec.ts'
import { type OperatorWallets, operatorWalletsContract } from '#contract/operator/people.ts'
import { implement } from '#server/http/routing/implement.ts'
import { presentAsked } from '#server/http/routing/present-approval.ts'
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
    ...rowToWire(user),
    asked_changes: user.askedChanges.map((asked) => ({
      ...presentAsked(asked),
      address: String(asked.input['address']),
    })),
    wallets: user.wallets.map((wallet) => ({
      ...rowToWire(wallet),
      chain_id: Number(wallet.chain_id),
    })),
  }
}
