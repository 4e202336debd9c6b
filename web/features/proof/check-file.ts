import { keccak256 } from 'viem'
import {
  findReceiptFault,
  type ProofReceipt,
  readReceipts,
  type ReceiptFault,
} from '#domain/delivery/proof-receipt.ts'

/** What a file has, receipt by receipt: null stands for something that is no receipt. */
export type CheckedReceipt = { receipt: ProofReceipt | null; fault: ReceiptFault | null }

/** Checks every receipt of a file's text, in this page alone. */
export function checkText(text: string): CheckedReceipt[] {
  const receipts = readReceipts(text)
  if (receipts === null) return [{ receipt: null, fault: null }]
  return receipts.map((receipt) => ({
    receipt,
    fault: findReceiptFault(receipt, (bytes) => keccak256(bytes, 'bytes')),
  }))
}
