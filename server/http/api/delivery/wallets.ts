import { instantToWire, orNull } from '#contract/codec.ts'
import { type ReceivingWallet, walletsContract } from '#contract/delivery/wallets.ts'
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
  writeWalletMessage: async (services, { body }, caller) => {
    const { nonce, message, expiresAt } = await writeWalletMessage(services, body, caller)
    return { nonce, message, expires_date: instantToWire(expiresAt) }
  },
  setWallet: async (services, { body }, caller) => {
    const {
      last_characters: lastCharacters,
      is_no_exchange: isNoExchange,
      is_own_contract: isOwnContract,
      ...given
    } = body
    const wanted = { ...given, lastCharacters, isNoExchange, isOwnContract }
    return presentWallet(await setWallet(services, wanted, caller))
  },
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
    wallet: orNull(current, ({ address, proof, effective_at: since, isShared }) => ({
      address,
      proof,
      since_date: instantToWire(since),
      is_shared: isShared,
    })),
    change: orNull(waiting, ({ address, proof, set_at: setAt, effective_at: effectiveAt }) => ({
      address,
      proof,
      requested_date: instantToWire(setAt),
      effective_date: instantToWire(effectiveAt),
    })),
    next_step: nextStep,
    checks_contracts: checksContracts,
  }
}
