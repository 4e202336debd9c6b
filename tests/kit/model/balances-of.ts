import type { LedgerTransfer } from '#domain/settlement/ledger.ts'

/** The balance of each account in each asset: incoming less outgoing. */
export function balancesOf(
  transfers: readonly LedgerTransfer[],
): ReadonlyMap<string, ReadonlyMap<string, bigint>> {
  const balances = new Map<string, Map<string, bigint>>()
  const book = (account: string, asset: string, amount: bigint) => {
    const assets = balances.get(account) ?? new Map<string, bigint>()
    balances.set(account, assets.set(asset, (assets.get(asset) ?? 0n) + amount))
  }
  for (const { source, destination, asset, amount } of transfers) {
    book(source, asset, -amount)
    book(destination, asset, amount)
  }
  return balances
}
