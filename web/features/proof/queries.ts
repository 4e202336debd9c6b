import { useQuery } from '@tanstack/react-query'
import { proofContract } from '#contract/delivery/proof.ts'
import type { ResultOf } from '#contract/endpoint.ts'
import { callQuery } from '#web/lib/api/call-query.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useOwnQuery } from '#web/session/own-query.ts'
import type { Session } from '#web/session/session.ts'

export type PublicSnapshot = ResultOf<typeof proofContract.getProof>['snapshots'][number]
type Receipt = ResultOf<typeof proofContract.listProofReceipts>['data'][number]

/** The snapshots of who owns what, the first one first. */
export function useSnapshots() {
  return useQuery({
    ...callQuery(['proof'], proofContract.getProof, {}),
    select: ({ snapshots }) => snapshots,
  })
}

/** The receipt of a purchase or reward of the user; undefined where it is in no snapshot. */
export function useReceipt(purchaseId: string): Receipt | undefined {
  const input = { query: { purchase_id: purchaseId } }
  const { data } = useQuery(
    useOwnQuery(['proof', purchaseId], proofContract.listProofReceipts, input),
  )
  return data?.data[0]
}

/** Saves receipts as a file: one alone, or many as a list. */
export function saveReceipts(name: string, receipts: Receipt | readonly Receipt[]): void {
  saveFile(`${name}.json`, `${JSON.stringify(receipts, null, 1)}\n`, 'application/json')
}

/** All receipts of the logged-in user, page by page. */
export async function loadReceipts(callAs: Session['callAs']): Promise<Receipt[]> {
  const receipts: Receipt[] = []
  for (let after: string | undefined; ;) {
    const query = { limit: '100', ...(after !== undefined && { after }) }
    const page: ResultOf<typeof proofContract.listProofReceipts> = await callAs(
      proofContract.listProofReceipts,
      { query },
    )
    receipts.push(...page.data)
    if (page.after === null) return receipts
    after = page.after
  }
}
