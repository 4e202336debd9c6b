import { privateKeyToAccount } from 'viem/accounts'

import type { Person } from './world.ts'

/** Wallets with keys that anybody knows; two people may choose the same. */
const wallets = Array.from({ length: 24 }, (_, index) =>
  privateKeyToAccount(`0x${String(index + 1).padStart(64, '0')}`),
)

export const walletAddresses: readonly string[] = wallets.map(({ address }) => address)

/** The wallet that somebody would choose next: always another one than the current. */
export function nextWallet(person: Person | null): string {
  const place = Number.parseInt(person?.id.slice(0, 8) ?? '0', 16) % wallets.length
  const chosen = walletAddresses[place] ?? ''
  if (person?.wallet !== chosen) return chosen
  return walletAddresses[(place + 1) % wallets.length] ?? ''
}

/** Signs a message for an address of {@link walletAddresses}; null for any other. */
export async function signAsWallet(address: string, message: string): Promise<string | null> {
  const wallet = wallets.find((each) => each.address === address)
  return wallet === undefined ? null : await wallet.signMessage({ message })
}
