import { bonusTypes } from '#domain/sale/bonus.ts'
import { type Release, releaseCalendar } from '#domain/delivery/release.ts'
import { add, formatDecimal, PRICE_DECIMALS, tokenAmount } from '#domain/money.ts'
import { scheduleOf } from '#domain/sale/release-schedule.ts'
import { paidPrice } from '#domain/settlement/paid-price.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import {
  centsText,
  cryptoText,
  tokenColumn,
  tokensText,
} from '#server/use-cases/sale/amount-texts.ts'
import type { PurchaseView } from '#server/use-cases/purchases/transaction-view.ts'
import { dayText, instantText } from './instant-texts.ts'
import type { Fact, Letter, Message, MessagePart } from './letter.ts'
import { button, fact, factOf, facts, head, questions, sellerText, text, write } from './letter.ts'
import { numberFact, unusedText } from './purchase-parts.ts'
import { saleText } from './sale-text.ts'

/** The receipt: what was paid, by whom and to whom, for what, and when the tokens are released. */
export function purchaseCompletedMessage(letter: Letter, purchase: PurchaseView): Message {
  const { completed: texts } = letter.texts.purchase
  const { project } = letter.sale
  const number = purchaseNumber(purchase.id)
  const total = tokensText(purchase.tokens.total, project)
  const { risk } = project
  const risks = risk === null ? [] : [text(saleText(letter.sale, letter.language)(risk.statement))]
  return write(letter, {
    ...head(texts, total, texts.preview(number)),
    figure: total,
    parts: [
      text(texts.text),
      ...remarks(letter, purchase),
      facts(...partyFacts(letter, purchase)),
      facts(...paidFacts(letter, purchase), ...tokenFacts(letter, purchase)),
      ...releasePlan(letter, purchase),
      facts(...chainFacts(letter, purchase)),
      button(letter, letter.texts.purchase.open, `/buy?id=${purchase.id}`),
      ...risks,
      ...questions(letter, number),
    ],
  })
}

function remarks({ texts }: Letter, purchase: PurchaseView): MessagePart[] {
  const { underpaid, overpaid, late, wrongAsset } = texts.purchase.completed
  switch (purchase.reason) {
    case 'underpaid':
      return [text(underpaid)]
    case 'overpaid':
      return [text(overpaid(unusedText(purchase)))]
    case 'late':
      return [text(late(unusedText(purchase)))]
    case 'wrong_asset':
      return [text(wrongAsset(isAllSent(purchase)))]
    case 'withdrawn':
    case 'soft_cap':
    case 'reorged':
    case 'held':
    case null:
      return []
  }
}

function isAllSent({ refunds }: PurchaseView): boolean {
  return refunds.every(({ why, paidBy }) => why !== 'wrong_asset' || paidBy !== null)
}

/** This many releases get a row each; later ones share a row. */
const RELEASE_ROWS_MAX = 13

/** When the tokens are released: a sentence, and a row for each part if there are several. */
function releasePlan(letter: Letter, { stageId, tokens }: PurchaseView): MessagePart[] {
  const { texts, sale } = letter
  if (sale.vesting === null) return []
  const schedule = scheduleOf(sale, stageId)
  const releases = releaseCalendar([{ tokens: tokens.total, schedule }], sale.vesting.startsAt)
  const [first] = releases
  if (first === undefined) return []
  const { once, parts, noDay } = texts.receipt.release
  const isOnce = releases.length === 1
  const sentence = isOnce ? once(whenOf(letter, first)) : parts(releases.length)
  return [
    text(sentence),
    ...(isOnce ? [] : [releaseFacts(letter, releases)]),
    ...(sale.vesting.startsAt === null ? [text(noDay)] : []),
  ]
}

function releaseFacts(letter: Letter, releases: readonly Release[]): MessagePart {
  const { labels, release: texts } = letter.texts.receipt
  const { decimals, symbol } = letter.sale.project
  const rest = releases.slice(RELEASE_ROWS_MAX)
  const last = rest.at(-1)
  const rows = releases.slice(0, RELEASE_ROWS_MAX).map((release) => ({
    label: texts.when(whenOf(letter, release)),
    tokens: release.tokens,
  }))
  if (last !== undefined) {
    const label = texts.later(rest.length, texts.when(whenOf(letter, last)))
    rows.push({ label, tokens: add(...rest.map(({ tokens }) => tokens)) })
  }
  const column = tokenColumn(
    rows.map((row) => row.tokens),
    decimals,
    releases.at(-1)?.released,
  )
  return facts(...rows.map(({ label }, nth) => fact(label, column[nth] ?? '')), {
    label: labels.total,
    value: `${column.at(-1) ?? ''} ${symbol}`,
    isTotal: true,
  })
}

function whenOf({ language }: Letter, { date, months }: Release) {
  return { date: date === null ? null : dayText(language, date), months }
}

function partyFacts(letter: Letter, purchase: PurchaseView) {
  const { labels } = letter.texts.receipt
  const { completedAt } = purchase
  const { name, language } = letter
  return [
    factOf(labels.seller, sellerText(letter)),
    factOf(labels.buyer, name === null ? null : `${name.first} ${name.last}`),
    numberFact(letter, purchase),
    factOf(labels.date, completedAt === null ? null : instantText(language, completedAt)),
  ]
}

function paidFacts(letter: Letter, purchase: PurchaseView) {
  const { labels } = letter.texts.receipt
  const { actualCrypto, initialCrypto, actualUsd, initialUsd, paymentToken } = purchase
  const { price, isAverage } = paidPrice({
    held: purchase.tokenPrice,
    reason: purchase.reason,
    usd: actualUsd,
    base: purchase.tokens.base,
    tokenDecimals: letter.sale.project.decimals,
  })
  return [
    fact(labels.paid, cryptoText(actualCrypto ?? initialCrypto, paymentToken)),
    fact(labels.usd, centsText(actualUsd ?? initialUsd)),
    fact(
      isAverage ? labels.averagePrice : labels.price,
      `$${formatDecimal(price, PRICE_DECIMALS)}`,
    ),
  ]
}

/** Figures that add up: the tokens that were paid for, each bonus, and the total. */
function tokenFacts({ texts, sale }: Letter, { tokens }: PurchaseView): Fact[] {
  const { labels, bonuses } = texts.receipt
  const { decimals, symbol } = sale.project
  const types = bonusTypes.filter((type) => (tokens.bonuses[type] ?? 0n) > 0n)
  const amounts = types.map((type) => tokens.bonuses[type] ?? tokenAmount(0n))
  const [base = '', ...shown] = tokenColumn([tokens.base, ...amounts], decimals)
  const total = shown.at(-1) ?? base
  return [
    fact(labels.base, base),
    ...types.map((type, nth) => fact(bonuses[type], `+ ${shown[nth] ?? ''}`)),
    { label: labels.total, value: `${total} ${symbol}`, isTotal: true },
  ]
}

function chainFacts({ texts, language }: Letter, purchase: PurchaseView) {
  const { labels, termsOf } = texts.receipt
  return [
    { label: labels.address, value: purchase.address, isAddress: true },
    ...purchase.receipts.map(({ transactionHash, explorerUrl }) =>
      transactionHash === null
        ? null
        : { label: labels.transaction, value: transactionHash, url: explorerUrl, isAddress: true },
    ),
    fact(labels.terms, termsOf(dayText(language, new Date(purchase.termsDate)))),
  ]
}
