import { instantToWire, orNull, rowToWire } from '#contract/codec.ts'
import { type ReceivingWallet, walletsContract } from '#contract/delivery/wallets.ts'
import { camelKeys } from '#domain/key-case.ts'
import { implement } from '#server/http/routing/implement.ts'
import {
  cancelChange,
  cancelChangeByLink,
  setWallet,
} from '#server/use-cases/wallets/set-wallet.ts'
import { getOwnWallet, type OwnWallet } from '#server/use-cases/wallets/own-wallet.ts'
import { writeWalletMessage } from '#server/use-cases/wallets/write-wallet-message.ts'

export const walletsRoutes = implement(walletsContract, {
  getOwnWallet: async (services, _input, caller) =>
    presentWallet(await getOwnWallet(services, caller)),
  writeWalletMessage: async (services, { body }, caller) =>
    rowToWire(await writeWalletMessage(services, body, caller)),
  setWallet: async (services, { body }, caller) =>
    presentWallet(await setWallet(services, camelKeys(body), caller)),
  cancelWalletChange: async (services, _input, caller) =>
    presentWallet(await cancelChange(services, caller)),
  cancelWalletChangeByLink: async (services, { body }, _caller, client) =>
    await cancelChangeByLink(services, body.token, client),
})

function presentWallet(own: OwnWallet): ReceivingWallet {
  const { delivery, current, waiting, nextStep, checksContracts } = own
  return {
    chain: delivery.chain,
    chain_id: delivery.chainId,
    wallet: orNull(current, (wallet) => ({
      ...rowToWire(wallet),
      since_date: instantToWire(wallet.effective_at),
    })),
    change: orNull(waiting, (wallet) => ({
      ...rowToWire(wallet),
      requested_date: instantToWire(wallet.set_at),
    })),
    next_step: nextStep,
    checks_contracts: checksContracts,
  }
}
