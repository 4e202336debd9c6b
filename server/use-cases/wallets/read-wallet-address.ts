import { wrongField } from '#domain/refusal.ts'
import { isDistributor } from '#server/database/delivery/wallets.ts'
import { createPayoutRecord } from '#server/database/rails/payout-record.ts'
import type { Services } from '#server/services.ts'
import { requireDelivery } from './own-wallet.ts'

/**
 * An address that tokens can be delivered to, with its checksum. Refuses with `InvalidInput` an
 * address whose key nobody has, a contract of the sale's tokens, and any address of the sale's own.
 * @param path The field that it came in.
 */
export async function readWalletAddress(
  services: Services,
  text: string,
  path = 'address',
): Promise<string> {
  const { database, clock, sale, wallets } = services
  const { treasury } = requireDelivery(services)
  const { symbol, contract } = sale.project
  const contracts = [
    { symbol, contract: contract?.address ?? null },
    // On every chain: the same contract is often on several.
    ...sale.paymentTokens,
  ]
  const read = await wallets.readAddress(text, contracts)
  if ('fault' in read) throw wrongField(path, read.fault)
  const { address } = read
  const isOurs =
    address.toLowerCase() === treasury?.toLowerCase() ||
    (await createPayoutRecord(database, () => clock.now()).isOurs(address)) ||
    (await isDistributor(database, address))
  if (isOurs) {
    throw wrongField(path, 'This address belongs to this sale, not to a wallet of yours')
  }
  return address
}
