import { instantToWire } from '#contract/codec.ts'
import { proofContract, type PublicSnapshot } from '#contract/delivery/proof.ts'
import { hexOf } from '#domain/delivery/proof-receipt.ts'
import { formatDecimal } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { implement } from '#server/http/routing/implement.ts'
import { listPublicSnapshots, listReceipts } from '#server/use-cases/snapshots/list-receipts.ts'

type StoredSnapshot = Awaited<ReturnType<typeof listPublicSnapshots>>[number]

export const proofRoutes = implement(proofContract, {
  getProof: async (services) => ({
    snapshots: (await listPublicSnapshots(services)).map((each) =>
      presentPublicSnapshot(each, services.sale),
    ),
  }),
  listProofReceipts: async (services, { query }, caller) => {
    const { snapshot, purchase_id: purchaseId, after, limit } = query
    const page = await listReceipts(services, { snapshot, purchaseId, after, limit }, caller)
    return {
      data: page.items.map(({ proof, value, leaf_encoding, ...receipt }) => ({
        ...receipt,
        leaf_encoding: [...leaf_encoding] as [...typeof leaf_encoding],
        value: [...value] as [string, string],
        proof: [...proof],
      })),
      after: page.after,
    }
  },
})

export function presentPublicSnapshot(
  { number, taken_at, root, tokens, leaf_count }: StoredSnapshot,
  { project }: Pick<Sale, 'project'>,
): PublicSnapshot {
  return {
    number,
    taken_date: instantToWire(taken_at),
    root: hexOf(root),
    tokens: formatDecimal(tokens, project.decimals),
    leaves: leaf_count,
  }
}
