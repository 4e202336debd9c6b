import { assetToWire, instantToWire, orNull, rowToWire } from '#contract/codec.ts'
import type { InboxItem as WireItem, Overview as WireOverview } from '#contract/operator/console.ts'
import { type InboxKind, leastRole } from '#domain/operators/inbox.ts'
import {
  formatDecimal,
  groupThousands,
  PRICE_DECIMALS,
  type Usd,
  usd,
  USD_DECIMALS,
} from '#domain/money.ts'
import { paymentTokenOf, type Sale } from '#domain/sale/sale.ts'
import { remaining } from '#domain/sale/stage.ts'
import { purchaseStatuses } from '#domain/settlement/outcome.ts'
import type { Overview } from '#server/use-cases/console/get-overview.ts'
import type { InboxItem } from '#server/use-cases/console/list-inbox.ts'
import type { Emails } from './emails-for.ts'
import { presentAsset, presentOwed, presentSaleState } from './present-operations.ts'

const dollars = (amount: Usd) => formatDecimal(amount, USD_DECIMALS)

export function presentOverview(overview: Overview, sale: Sale): WireOverview {
  const { sums, owed, mails, funnel } = overview
  const { decimals, symbol } = sale.project
  const tokens = (amount: bigint) => formatDecimal(amount, decimals)
  const days = new Map(sums.byDay.map((each) => [each.day, each]))
  const statuses = purchaseStatuses.map(
    (status) => [status, Number(sums.byStatus.get(status) ?? 0n)] as const,
  )
  return {
    date: instantToWire(overview.readAt),
    token_symbol: symbol,
    state: presentSaleState(overview.state, sale),
    raised_fiat: dollars(sums.creditedUsd),
    purchases: Object.fromEntries(statuses) as WireOverview['purchases'],
    funnel: {
      visited: Number(funnel.visited),
      registered: Number(funnel.registered),
      bought: Number(funnel.bought),
      paid: Number(funnel.paid),
    },
    stages: overview.stages.map(({ stage, status, progress }) => ({
      id: stage.id,
      name: stage.name,
      status,
      supply: tokens(stage.supply),
      sold: tokens(progress.sold),
      reserved: tokens(progress.reserved),
      left: tokens(remaining(stage, progress)),
    })),
    by_day: overview.days.map((day) => ({
      day,
      raised_fiat: dollars(days.get(day)?.creditedUsd ?? usd(0n)),
      purchases: Number(days.get(day)?.count ?? 0n),
    })),
    by_token: sums.byToken.map(({ paymentTokenId, count, creditedUsd }) => {
      const token = paymentTokenOf(sale, paymentTokenId)
      return {
        payment_token_id: paymentTokenId,
        short_name: token?.symbol ?? paymentTokenId,
        chain: token?.chain ?? '',
        raised_fiat: dollars(creditedUsd),
        purchases: Number(count),
      }
    }),
    owed: owed.map((each) => ({
      ...presentOwed(each, sale),
      amount_fiat: orNull(each.usd, dollars),
    })),
    owed_fiat: dollars(usd(owed.reduce((sum, each) => sum + (each.usd ?? 0n), 0n))),
    feeds: overview.feeds.map((feed) => ({
      ...rowToWire(feed),
      price: orNull(feed.price, (value) => formatDecimal(value, PRICE_DECIMALS)),
    })),
    mails: rowToWire(mails),
  }
}

export function presentInboxItem(item: InboxItem, sale: Sale, emails: Emails): WireItem {
  return {
    ...rowToWire(item),
    ...wordsOf[item.kind](item, amountOf(item, sale), emails),
    since_date: orNull(item.since, instantToWire),
    amount_fiat: orNull(item.usd, dollars),
    role: leastRole(item.permission),
    owner: orNull(item.owner, ({ id, name, since }) => ({
      id,
      name,
      since_date: instantToWire(since),
    })),
  }
}

function amountOf({ asset, amount }: InboxItem, sale: Sale): string {
  if (amount === null) return ''
  const token = presentAsset(sale, asset)
  const figure = groupThousands(assetToWire(sale, asset, amount))
  return token === null ? `${figure} units of an unknown coin` : `${figure} ${token.short_name}`
}

const refundWords: Readonly<Record<string, string>> = {
  underpaid: 'Less was paid than was due.',
  overpaid: 'More was paid than was due.',
  late: 'It was paid too late.',
  wrong_asset: 'It was paid in a different coin than agreed.',
  failed: 'The purchase has failed.',
  withdrawn: 'The buyer has withdrawn from the purchase.',
  soft_cap: 'The sale has ended below its soft cap.',
}

type WordsOf = (
  item: InboxItem,
  amount: string,
  emails: Emails,
) => Pick<WireItem, 'title' | 'detail'>

const wordsOf: Record<InboxKind, WordsOf> = {
  refund: ({ note }, amount) => {
    const [why = '', hash, ...name] = (note ?? '').split(' ')
    const asked = name.join(' ') || 'Somebody'
    const sent =
      hash === undefined
        ? ''
        : ` ${asked} asked to mark it as paid by ${hash}, and that was not done: look up whether it was sent.`
    return { title: `${amount} is owed back`, detail: `${refundWords[why] ?? why}${sent}` }
  },
  uncovered: (_, amount) => ({
    title: `${amount} was paid back for money that has gone`,
    detail:
      'A reorganisation has since removed the payment, or its gateway has sent it back to the buyer.',
  }),
  sent_not_owed: ({ note }) => ({
    title: 'A refund that is no longer owed may have been sent',
    detail:
      `${note ?? ''}. That was not done, and by now nothing is owed: the money was credited, or ` +
      'its payment has gone.',
  }),
  claim: ({ note }, amount) => ({
    title: `${amount} is claimed`,
    detail: `To be paid to ${note ?? ''}`,
  }),
  claim_to_send: ({ note }, amount) => ({
    title: `${amount} is approved and not in a batch`,
    detail: `For ${note ?? ''}`,
  }),
  claim_uncovered: (_, amount) => ({
    title: `${amount} is promised for money that has gone`,
    detail:
      'Since the claim was approved, a reorganisation has removed a payment, or its gateway has sent it back to the buyer.',
  }),
  batch: ({ id, note }) => {
    const [state, chain = 'its chain'] = (note ?? '').split(' ')
    return state === 'sent'
      ? {
          title: `Batch ${id} was sent and waits for a block`,
          detail: `Not all of it, or nothing, is in a block of ${chain}: its fee may be too low.`,
        }
      : {
          title: `Batch ${id} has not been sent for a day`,
          detail: `Not all of it, or nothing, was seen on ${chain}.`,
        }
  },
  paid_twice: ({ note }, amount) => ({
    title: `${amount} was paid twice`,
    detail: `A batch was sent again, or after it was cancelled, by ${note ?? ''}`,
  }),
  payout_gone: ({ note }, amount) => ({
    title: `${amount} that was paid back is no longer on its chain`,
    detail:
      `A reorganisation has removed the transfer to ${note ?? ''}. It may be mined again by ` +
      'itself, and the claim stays paid.',
  }),
  foreign: ({ note }) => ({
    title: 'Tokens arrived that the sale does not take',
    detail: `${note ?? ''}: the name of a token proves nothing.`,
  }),
  sweep: ({ note }) => ({
    title: 'Transactions of a sweep have failed',
    detail: `${note ?? ''}. The money that they should move is still where it was.`,
  }),
  lost_payment: ({ note, purchaseId }) =>
    purchaseId === null
      ? {
          title: 'A gateway did not say whether it made a payment',
          detail: `${note ?? ''}. The server asks again; no buyer was shown an address.`,
        }
      : {
          title: 'A gateway does not know the payment of a purchase whose time is over',
          detail: `${note ?? ''}. Until the gateway knows it again, or the purchase is failed, it keeps its tokens.`,
        },
  held: ({ note }) => ({ title: 'A purchase is held', detail: note }),
  unconfirmed: ({ note }) => ({
    title: 'A payment has not been confirmed for a day',
    detail: `It came by ${note ?? 'its chain'}. Until it is confirmed or gone, what it reserves is held, and the books cannot be closed.`,
  }),
  unmatched: ({ note }, amount) => ({
    title: `${amount} arrived at an address without a purchase`,
    detail: note,
  }),
  approval: ({ note }) => ({
    title: note ?? 'An act is waiting',
    detail: 'It is waiting for a second person.',
  }),
  mail: ({ note, userId }, _, emails) => {
    const [kind = '', recipient = null] = (note ?? '').split(' ')
    const whom = userId === null ? 'an operator' : 'somebody whose account is erased'
    const address = userId === null ? recipient : orNull(recipient, emails)
    return {
      title: `A mail could not be sent: ${kind.replaceAll('_', ' ')}`,
      detail:
        (address === null ? '' : `It was for ${whom}, at ${address}. `) +
        'It was tried for days and then given up.',
    }
  },
  late_delivery: ({ id, note }) => {
    const [distribution, way] = id.split(':')
    return way === 'repeated'
      ? {
          title: `Tokens of distribution ${distribution} were sent again`,
          detail: `Wallets that got the same amount once more: ${note ?? ''}. No published list says so.`,
        }
      : {
          title: `Tokens of distribution ${distribution} arrived after it had ended`,
          detail: `Wallets that received them: ${note ?? ''}. Those may be paid twice.`,
        }
  },
  chain: ({ id, note }) => ({ title: `${id} cannot be read`, detail: note }),
  feed: ({ id }) => ({
    title: `The price of ${id} is not known`,
    detail: 'Nothing can be bought in it until its feeds agree again; see the log.',
  }),
  breach: ({ note }) => ({ title: 'The books do not agree', detail: note }),
  snapshot: ({ id, note }) => ({ title: `Snapshot ${id} is out of date`, detail: note }),
  delivery: ({ id, note }) => ({
    title: `Tokens of distribution ${id} are missing`,
    detail: note,
  }),
  guard: ({ note }) => ({
    title: 'The books have not been checked',
    detail: note ?? 'No instance has checked them for half an hour.',
  }),
  pause: ({ note }) => ({ title: 'The sale is paused', detail: note }),
}
