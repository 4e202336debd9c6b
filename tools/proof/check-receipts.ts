import { keccak256 } from 'viem'

import {
  findReceiptFault,
  readReceipts,
  type ReceiptFault,
} from '#domain/delivery/proof-receipt.ts'

/** The results in sentences: for the receipts that are right, and for those that are not. */
export type CheckedReceipts = { lines: readonly string[]; faults: readonly string[] }

const faultTexts: Record<ReceiptFault, string> = {
  id:
    'is WRONG: its "purchase_id" or its "salt" was changed, so that it does not prove ' +
    'this purchase. Download it again at /proof, and check that file',
  root:
    'is WRONG: its "value", "proof" or "root" was changed, so that these tokens are not in the ' +
    'snapshot that it names. Download it again at /proof, and check that file',
}

/** Checks a file's receipts and, if a root is given, that theirs is the published one. */
export function checkReceipts(text: string, published: string | null): CheckedReceipts {
  const receipts = readReceipts(text)
  if (receipts === null) {
    return { lines: [], faults: ['This is not a proof file, or it was changed.'] }
  }
  const lines: string[] = []
  const faults: string[] = []
  for (const receipt of receipts) {
    const { purchase_id: id, snapshot, root, value } = receipt
    const fault = findReceiptFault(receipt, (bytes) => keccak256(bytes, 'bytes'))
    if (fault !== null) faults.push(`${id} ${faultTexts[fault]}.`)
    else if (published !== null && published.toLowerCase() !== root) {
      faults.push(`${id} is in another tree: its root is ${root}, and ${published} was published.`)
    } else {
      lines.push(`${id} is in snapshot ${snapshot} with ${value[1]} base units, root ${root}`)
    }
  }
  if (published === null && lines.length > 0) {
    lines.push('Compare the root with the one that was published, or name that by --root.')
  }
  return { lines, faults }
}
