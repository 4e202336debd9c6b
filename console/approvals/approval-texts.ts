import type { Approval } from '#contract/operator/approvals.ts'
import { whoText } from '#console/audit/act-texts.ts'
import type { Tone } from '#web/ui/style/tone.tsx'

export const stateTexts: Record<Approval['state'], { tone: Tone; label: string }> = {
  waiting: { tone: 'warning', label: 'Waiting' },
  approved: { tone: 'info', label: 'Approved' },
  done: { tone: 'success', label: 'Done' },
  failed: { tone: 'error', label: 'Failed' },
  refused: { tone: 'neutral', label: 'Refused' },
  withdrawn: { tone: 'neutral', label: 'Withdrawn' },
  expired: { tone: 'neutral', label: 'Expired' },
}

/** As long as the shortest address: words are shorter. */
const LONG = /\w{24,}/g

/** A summary where there is little room: of an address both ends, as people compare those. */
export function shortSummary(summary: string): string {
  return summary.replaceAll(LONG, (address) => `${address.slice(0, 6)}…${address.slice(-4)}`)
}

/** Who asked, and whether that is proved. */
export function askedByText({ id, name }: Approval['asked_by']): string {
  return whoText({ kind: id === null ? 'token' : 'person', operator: name })
}

/** What approving it does, in a sentence. An act that is not listed has only its summary. */
export const effects: Record<string, string> = {
  payRefund:
    'The refund is marked as paid by this transaction, for good, and its buyer is told. Look the ' +
    'transaction up on its chain: to whom it went, and how much.',
  approveRefundClaim:
    'What is claimed is promised to this address, and can then be put into a batch. The buyer has ' +
    'chosen the address, and got a mail with it.',
  makeRefundBatch:
    'Approved claims of this network are put together, and their files can be downloaded and ' +
    'signed. Look at the claims under Refunds: how many they are, and how much.',
  closeSale:
    'Every purchase is undone, for good, and everything that was paid is owed back. The buyers are ' +
    'told by mail. Compare what was raised with the soft cap.',
  freeze:
    'The books are closed, for good: who owns how many tokens is written as snapshot 1, and the sale ' +
    'never goes on. Compare the tokens with the overview.',
  correctSnapshot:
    'What differs from the last snapshot is written as the next one, for good. Look at the ' +
    'difference under Delivery first.',
  releasePurchase: 'The purchase goes on: what was paid for it is credited with tokens.',
  resumeSale: 'The sale goes on in spite of these faults, which do not pause it again.',
  sendSweep:
    'The signed transactions are sent, one after the other. Compare the treasury with your own record, ' +
    'and the hash with that of the file.',
  publishDistribution:
    'Buyers are told to claim at this contract, or tokens are looked for that this wallet sends. ' +
    'Compare the address and the root with those of the campaign.',
  withdrawDistribution:
    'What it has is due again and can be handed out by another one. Make sure that nothing can be ' +
    'claimed or sent by it any more.',
  closeDistribution:
    'What has arrived stays, and the rest is due again and can be handed out by another one. Make sure ' +
    'that nothing more can be claimed or sent by it.',
  changeUserWallet:
    'What is not handed out yet goes to this address from the next snapshot on. The buyer was mailed ' +
    'that this is asked for, and is mailed again once it is done. Make sure by other means that the ' +
    'buyer asked for it: whoever has the address has the tokens.',
  applySaleFile: 'The sale file is applied at once, on every instance.',
}

/** For fields whose name says too little. */
const labels: Record<string, string> = {
  claim_url: 'Where buyers claim, if not here',
  expires_date: 'Can be claimed until',
  from_block: 'Read from block',
  shared: 'The same transaction has paid another refund too',
  id: 'Id of the receipt, claim or purchase',
  claim_ids: 'Ids of the claims; all that are approved where none are named',
}

/** For fields that mean something else than in other acts. */
const labelsByAct: Record<string, Record<string, string>> = {
  freeze: { number: 'Number of the snapshot', tokens: 'Tokens that are owned' },
  correctSnapshot: { number: 'Number of the snapshot', tokens: 'Tokens that are owned' },
  publishDistribution: { id: 'Distribution', amount: 'Amount in base units of the token' },
  withdrawDistribution: { id: 'Distribution' },
  changeUserWallet: { id: 'Id of the buyer', address: 'New wallet', former: 'Wallet until now' },
}

/** `breaches` → `Breaches`, as a label. */
export function labelOf(name: string, act = ''): string {
  const label = labelsByAct[act]?.[name] ?? labels[name]
  if (label !== undefined) return label
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
