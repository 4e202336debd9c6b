import type { PurchaseRecord } from '#contract/operator/shapes.ts'
import { formatDecimal, parseDecimal } from '#domain/money.ts'
import { userAccount } from '#domain/settlement/ledger.ts'
import { actText } from '#domain/operators/act-text.ts'
import { byText } from '#console/audit/who-text.ts'
import type { Tone } from '#web/ui/style/tone.tsx'
import { type Asset, assetAmount, assetName, ledgerAsset } from './amounts.tsx'
import { reasonWords, statusTones, statusWords } from './status.tsx'

export type StoryKind = 'status' | 'receipt' | 'refund' | 'act' | 'mail' | 'ledger'

export interface StoryEntry {
  key: string
  kind: StoryKind
  date: string
  tone: Tone
  title: string
  /** More of it, in a sentence or a few words. */
  text?: string | undefined
  amount?: { value: string; unit: string; exact: string } | undefined
  transaction?: { hash: string; url: string | null } | undefined
}

/** The order of entries at the same moment, from causes to effects. */
const order: readonly StoryKind[] = ['act', 'receipt', 'status', 'refund', 'ledger', 'mail']

/** Everything that happened to a purchase, newest first. */
export function storyOf(record: PurchaseRecord): StoryEntry[] {
  const entries = [
    ...receiptsOf(record),
    ...statusesOf(record),
    ...refundsOf(record),
    ...actsOf(record),
    ...mailsOf(record),
    ...ledgerOf(record),
  ]
  const rank = ({ kind }: StoryEntry) => order.indexOf(kind)
  return entries.toSorted(
    (one, other) => Date.parse(other.date) - Date.parse(one.date) || rank(other) - rank(one),
  )
}

/** Entries by day in the reader's time zone, keeping their order. */
export function byDay(entries: readonly StoryEntry[]): [day: string, entries: StoryEntry[]][] {
  return [...Map.groupBy(entries, ({ date }) => new Date(date).toDateString())]
}

const amountOf = (asset: Asset, amount: string) => ({
  value: assetAmount(asset, amount),
  unit: assetName(asset),
  exact: amount,
})

function receiptsOf({ receipts }: PurchaseRecord): StoryEntry[] {
  return receipts.map((receipt) => {
    const { state, confirmations, required_confirmations: required } = receipt
    const looks = {
      seen: { tone: 'info', title: 'Payment seen' },
      confirmed: { tone: 'success', title: 'Payment confirmed' },
      gone: { tone: 'error', title: 'Payment gone: its chain or gateway took it back' },
    } as const
    return {
      key: `receipt ${receipt.id}`,
      kind: 'receipt',
      date: receipt.seen_date,
      ...looks[state],
      text: `${confirmations} of ${required} confirmations on ${receipt.chain}`,
      amount: amountOf(receipt.payment_token, receipt.amount),
      transaction: { hash: receipt.hash, url: receipt.explorer_url },
    }
  })
}

function statusesOf({ history }: PurchaseRecord): StoryEntry[] {
  return history.map(({ status, status_reason: reason, date }, nth) => ({
    key: `status ${nth}`,
    kind: 'status',
    date,
    tone: nth === 0 ? 'info' : statusTones[status],
    title: nth === 0 ? 'Purchase made' : statusWords[status],
    text: reason === null ? undefined : `Because ${reasonWords[reason]}`,
  }))
}

/** Enough for every existing coin. */
const DECIMALS = 30

const owedFor: Record<PurchaseRecord['refunds'][number]['reason'], string> = {
  underpaid: 'too little was paid in time',
  overpaid: 'more was paid than was due',
  late: 'it was paid late',
  wrong_asset: 'it was paid in another coin',
  withdrawn: 'the buyer has withdrawn',
  soft_cap: 'the sale missed its soft cap',
  failed: 'the purchase failed',
}

function refundsOf({ refunds }: PurchaseRecord): StoryEntry[] {
  return refunds.flatMap((refund, nth): StoryEntry[] => {
    const amount = amountOf(refund.payment_token, refund.amount)
    const owed: StoryEntry = {
      key: `owed ${nth}`,
      kind: 'refund',
      date: refund.since_date,
      tone: refund.state === 'open' ? 'warning' : 'neutral',
      title: 'Owed back',
      text: `Because ${owedFor[refund.reason]}`,
      amount,
    }
    if (refund.paid_date === null || refund.paid_hash === null) return [owed]
    const isLost = refund.state === 'uncovered'
    const fee = parseDecimal(refund.fee ?? '0', DECIMALS) ?? 0n
    const sent = formatDecimal((parseDecimal(refund.amount, DECIMALS) ?? 0n) - fee, DECIMALS)
    const withheld = amountOf(refund.payment_token, formatDecimal(fee, DECIMALS))
    return [
      owed,
      {
        key: `paid ${nth}`,
        kind: 'refund',
        date: refund.paid_date,
        tone: isLost ? 'error' : 'success',
        title: isLost ? 'Paid back for money that has since gone' : 'Paid back',
        text:
          fee === 0n ? undefined : `After ${withheld.value} ${withheld.unit} for the network fee`,
        amount: amountOf(refund.payment_token, sent),
        transaction: { hash: refund.paid_hash, url: refund.paid_explorer_url },
      },
    ]
  })
}

const actWords: Record<string, string> = {
  holdPurchase: 'Held',
  releasePurchase: 'Released',
  failPurchase: 'Failed',
  payRefund: 'Refund marked as paid',
  askForApproval: 'Approval asked for',
}

function actsOf({ actions }: PurchaseRecord): StoryEntry[] {
  return actions.map(({ id, date, act, details, ...who }) => {
    const isRefused = details['refused'] !== undefined
    return {
      key: `act ${id}`,
      kind: 'act',
      date,
      tone: isRefused ? 'error' : 'neutral',
      title: `${actWords[act] ?? actText(act)} by ${byText(who)}`,
      text: isRefused ? 'Not allowed' : details['reason'],
    }
  })
}

function mailsOf({ mails }: PurchaseRecord): StoryEntry[] {
  return mails.map((mail, nth) => {
    const { kind, date, sent_date: sent, dropped_date: dropped, attempts } = mail
    const title = `Mail: ${kind.replaceAll('_', ' ')}`
    const entry = { key: `mail ${nth}`, kind: 'mail', date: sent ?? date, title } as const
    if (sent !== null) return { ...entry, tone: 'neutral', text: 'Accepted by the mail server' }
    if (dropped !== null) {
      return mail.is_given_up
        ? { ...entry, tone: 'error', text: `Given up after ${attempts} attempts` }
        : { ...entry, tone: 'neutral', text: 'Not sent: it was out of date by then' }
    }
    return attempts === 0
      ? { ...entry, tone: 'neutral', text: 'Waits to be sent' }
      : {
          ...entry,
          tone: 'warning',
          text: `Not accepted yet, ${attempts === 1 ? '1 attempt' : `${attempts} attempts`}`,
        }
  })
}

function ledgerOf({ ledger, user }: PurchaseRecord): StoryEntry[] {
  const nameOf = (account: string) => (account === userAccount(user.id) ? 'the buyer' : account)
  return ledger.map(({ date, source, destination, asset, amount }, nth) => ({
    key: `ledger ${nth}`,
    kind: 'ledger',
    date,
    tone: 'neutral',
    title: `${nameOf(source)} → ${nameOf(destination)}`,
    amount: {
      value: assetAmount({ short_name: asset, chain: '' }, amount),
      unit: ledgerAsset(asset),
      exact: amount,
    },
  }))
}
