import type { Approval } from '#contract/operator/approvals.ts'
import type { Permission } from '#domain/operators/permissions.ts'
import { whoText } from '#console/audit/who-text.ts'
import { stakeText, type StateLook } from '#console/kit/values.tsx'

export const stateTexts: Record<Approval['state'], StateLook> = {
  waiting: ['warning', 'Waiting'],
  approved: ['info', 'Approved'],
  done: ['success', 'Done'],
  failed: ['error', 'Failed'],
  refused: ['neutral', 'Refused'],
  withdrawn: ['neutral', 'Withdrawn'],
  expired: ['neutral', 'Expired'],
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
    'The refund is marked as paid by this transaction, for good, and the buyer is told. Look up ' +
    'the transaction on its chain: where it went, and how much.',
  approveRefundClaim:
    'The claimed money is promised to this address and can then be put into a batch. The ' +
    'buyer chose the address and was sent it by mail.',
  makeRefundBatch:
    'The approved claims on this network become one batch, whose files can be downloaded ' +
    'and signed. Check the claims under Refunds: how many there are, and how much they ' +
    'come to.',
  closeSale:
    'Every purchase is undone, for good, and everything that was paid is owed back. ' +
    'Buyers are told by mail. Compare what was raised with the soft cap.',
  freeze:
    'The books are closed for good: snapshot 1 records who owns how many tokens, and the ' +
    'sale can never resume. Compare the tokens with those under Delivery.',
  correctSnapshot:
    'The differences from the last snapshot are recorded as the next one, for good. Check ' +
    'them under Delivery first.',
  releasePurchase: 'The purchase continues: tokens are credited for what was paid.',
  resumeSale:
    'The sale resumes despite these faults, and they do not pause it again. Once the books are ' +
    'closed it stays paused, and they no longer stop a correction.',
  sendSweep:
    'The signed transactions are sent, one after the other. Compare the treasury with your own record, ' +
    'and the hash with that of the file.',
  publishDistribution:
    'Buyers are told to claim from this contract, or the server looks for tokens that this ' +
    'wallet sends. Compare the address and the root with those of the campaign.',
  withdrawDistribution:
    'Its tokens are due again, and another distribution can hand them out. Make sure that ' +
    'nothing can be claimed or sent through it any more.',
  closeDistribution:
    'Tokens that have arrived stay. The rest are due again, and another distribution can ' +
    'hand them out. Make sure that nothing more can be claimed or sent through it.',
  changeUserWallet:
    'From the next snapshot on, tokens that are not handed out yet go to this address. ' +
    'The buyer was told of this request by mail, and is told again once it is done. Make ' +
    'sure by other means that the buyer asked for it: whoever controls the address gets ' +
    'the tokens.',
  applySaleFile: 'The sale file is applied at once, on every instance.',
}

const moneyActs: ReadonlySet<string> = new Set([
  'payRefund',
  'approveRefundClaim',
  'makeRefundBatch',
  'releasePurchase',
  'closeSale',
  'sendSweep',
])

/** What is at stake, in dollars; null for an act that is not about money. */
export function stakeOf({ act, amount_fiat: usd }: Approval): string | null {
  return usd !== null || moneyActs.has(act) ? stakeText(usd) : null
}

interface Subject {
  to: string
  label: string
  /** What one must be allowed to do to see that screen. */
  permission: Permission
}

/** Where the approver can look at what an act is about. */
export function subjectOf({ act, about }: Approval): Subject | null {
  switch (act) {
    case 'approveRefundClaim':
      return {
        to: `/refunds/claims/${about}`,
        label: 'The claim, and what it covers',
        permission: 'refunds.read',
      }
    case 'makeRefundBatch':
      return {
        to: '/refunds/claims?state=approved',
        label: 'The approved claims',
        permission: 'refunds.read',
      }
    case 'releasePurchase':
      return {
        to: `/purchases/${about}`,
        label: 'The purchase and its story',
        permission: 'purchases.read',
      }
    case 'changeUserWallet':
      return { to: `/people/${about}`, label: 'Whose tokens these are', permission: 'people.read' }
    case 'publishDistribution':
    case 'withdrawDistribution':
    case 'closeDistribution':
      return {
        to: `/distributions/${about}`,
        label: 'The distribution',
        permission: 'delivery.read',
      }
    case 'freeze':
    case 'correctSnapshot':
      return { to: '/delivery', label: 'Who owns how many tokens', permission: 'delivery.read' }
    case 'sendSweep':
      return { to: '/sweeps', label: 'Received money and sweeps', permission: 'sweeps.manage' }
    default:
      return null
  }
}

/** For fields whose name says too little. */
const labels: Record<string, string> = {
  claim_url: 'Page where buyers claim, if not the sale’s own',
  expires_date: 'Can be claimed until',
  from_block: 'Read from block',
  shared: 'The same transaction has paid another refund too',
  id: 'Id of the receipt, claim or purchase',
  chain: 'Network',
  rail: 'Paid through',
  payment_token_id: 'Coin; if none is named, every one',
  sha256: 'SHA-256 of what is sent',
  usd: 'Worth at most, in dollars',
  claim_ids: 'Ids of the claims; if none are named, all approved ones',
}

/** For fields that mean something else than in other acts. */
const labelsByAct: Record<string, Record<string, string>> = {
  payRefund: { id: 'Id of the receipt', hash: 'Transaction that paid it back' },
  approveRefundClaim: { id: 'Id of the claim' },
  releasePurchase: { id: 'Id of the purchase', marked_date: 'Undoes the mark of' },
  resumeSale: { paused_date: 'The pause of' },
  applySaleFile: { hash: 'SHA-256 of the file', applied_id: 'Replaces the sale file with the id' },
  sendSweep: { hash: 'SHA-256 of the file' },
  freeze: { number: 'Number of the snapshot', tokens: 'Tokens owned' },
  correctSnapshot: { number: 'Number of the snapshot', tokens: 'Tokens owned' },
  publishDistribution: { id: 'Distribution', amount: 'Amount in base units of the token' },
  withdrawDistribution: { id: 'Distribution' },
  closeDistribution: { id: 'Distribution' },
  changeUserWallet: { id: 'Id of the buyer', address: 'New wallet', former: 'Current wallet' },
}

/** `breaches` → `Breaches`, as a label. */
export function labelOf(name: string, act = ''): string {
  const label = labelsByAct[act]?.[name] ?? labels[name]
  if (label !== undefined) return label
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
