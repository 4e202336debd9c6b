import { keccak256 } from 'viem'
import {
  findReceiptFault,
  type ProofReceipt,
  readReceipts,
  type ReceiptFault,
} from '#domain/delivery/proof-receipt.ts'

/** The receipts in a file: null stands for something that is not a receipt. */
export type CheckedReceipt = { receipt: ProofReceipt | null; fault: ReceiptFault | null }

/** Checks every receipt in a file's text, without leaving this page. */
export function checkText(text: string): CheckedReceipt[] {
  const receipts = readReceipts(text)
  if (receipts === null) return [{ receipt: null, fault: null }]
  return receipts.map((receipt) => ({
    receipt,
    fault: findReceiptFault(receipt, (bytes) => keccak256(bytes, 'bytes')),
  }))
}
