import { describe, expect, test } from 'vitest'

import { pageLanguages } from '#contract/language.ts'
import type { ReleaseSchedule } from '#domain/sale/offer.ts'
import { AT_ONCE, linearSchedule } from '#domain/sale/release-schedule.ts'
import { mailKinds } from '#server/database/books/outbox.ts'
import { mailTexts } from '#server/use-cases/mailing/texts/mail-texts.ts'
import type { Message } from '#server/use-cases/mailing/texts/letter.ts'
import {
  purchaseCreatedMessage,
  purchaseProcessingMessage,
  purchaseRefundListedMessage,
  purchaseRefundPaidMessage,
} from '#server/use-cases/mailing/texts/purchase-messages.ts'
import { purchaseCompletedMessage } from '#server/use-cases/mailing/texts/receipt-message.ts'
import { renderHtml } from '#server/use-cases/mailing/texts/render-html.ts'
import { renderText } from '#server/use-cases/mailing/texts/render-text.ts'
import {
  aStage,
  dollars,
  eth,
  minute,
  percent,
  tokens,
} from '#tests/kit/builders/domain-builders.ts'
import {
  aCompletedView,
  ADDRESS,
  aLetter,
  aPurchaseView,
  aTalkativeSale,
  everyMail,
  HASH,
} from '#tests/kit/builders/every-mail.ts'
import { buy as germanBuy } from '#web/messages/de/buy.ts'
import { buy } from '#web/messages/en/buy.ts'

/** The figure that a kind of mail shows large, in English; the others show none. */
const figures: Partial<Record<(typeof mailKinds)[number], string>> = {
  delivery_claimable: '11,500 HUH',
  delivery_delivered: '11,500 HUH',
  delivery_expiring: '11,500 HUH',
  recovery_code_used: '7 left',
  purchase_created: '0.39780927 ETH',
  purchase_processing: '0.39780927 ETH',
  purchase_completed: '11,500 EXA',
  purchase_underpaid: '0.1 ETH',
  purchase_topped_up: '500 EXA',
  purchase_refund_listed: '0.3 ETH',
  purchase_refund_paid: '0.3 ETH',
  refund_claimed: '0.299 ETH',
  refund_claim_paid: '0.299 ETH',
  referral_rewarded: '500 EXA',
}

const rowsOf = ({ parts }: Message) =>
  parts.flatMap((part) =>
    part.kind === 'facts' ? part.facts.map(({ label, value }) => [label, value]) : [],
  )

const large = (html: string) =>
  [...html.matchAll(/font-size:31px[^>]*>([^<]*)</g)].map(([, figure]) => figure)

describe.each(mailKinds)('the mail %s', (kind) => {
  const [english, german] = pageLanguages.map((language) => everyMail(language)[kind])
  if (english === undefined || german === undefined) throw new Error('A language is missing.')

  test('has one structure in both languages, and no sentence of the other one', () => {
    expect(german.parts.map((part) => part.kind)).toEqual(english.parts.map((part) => part.kind))
    expect(rowsOf(german)).toHaveLength(rowsOf(english).length)
    for (const field of ['subject', 'preview', 'heading'] as const) {
      expect(german[field], field).not.toBe(english[field])
    }
    const sentences = new Set(
      english.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
    )
    const kept = german.parts.filter((part) => part.kind === 'text' && sentences.has(part.text))
    expect(kept).toEqual([])
    expect(renderHtml(german)).toContain('<html lang="de">')
    expect(renderHtml(english)).toContain('<html lang="en">')
  })

  test('begins each paragraph with a capital in English, after the greeting too', () => {
    const paragraphs = english.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    expect(paragraphs.filter((paragraph) => /^\P{L}*\p{Ll}/u.test(paragraph))).toEqual([])
  })

  test('has one button at most, and shows its one figure at 31 px', () => {
    for (const message of [english, german]) {
      expect(message.parts.filter((part) => part.kind === 'button').length).toBeLessThan(2)
    }
    const figure = figures[kind]
    expect(large(renderHtml(english))).toEqual(figure === undefined ? [] : [figure])
    expect(large(renderHtml(german))).toHaveLength(figure === undefined ? 0 : 1)
  })

  test('names a purchase by its number, in the mail to whoever is asked as well', () => {
    if (!kind.startsWith('purchase_')) return
    for (const [message, subject] of [
      [english, 'Purchase%203F9A-12BC'],
      [german, 'Kauf%203F9A-12BC'],
    ] as const) {
      expect(rowsOf(message).map(([, value]) => value)).toContain('3F9A-12BC')
      expect(renderHtml(message)).toContain(`href="mailto:help@example.com?subject=${subject}"`)
      const [shown = ''] = renderText(message).split('\n--\n')
      expect(shown.replaceAll(/https?:\S+/g, '')).not.toContain('3f9a12bc')
    }
  })
})

describe('the time to pay', () => {
  test.each([
    ['en', 30, 'in 30 minutes (00:30 UTC)'],
    ['de', 30, 'in 30 Minuten (00:30 Uhr UTC)'],
    ['en', 1, 'in 1 minute (00:01 UTC)'],
    ['de', 180, 'in 3 Stunden (03:00 Uhr UTC)'],
    ['en', 24 * 60, 'in 24 hours (2 January 2030 at 00:00 UTC)'],
    ['de', 3 * 24 * 60, 'in 3 Tagen (4. Januar 2030 um 00:00 Uhr UTC)'],
  ] as const)('in %s after %d minutes reads %s', (language, minutes, deadline) => {
    const letter = aLetter({ language })
    const message = purchaseCreatedMessage(letter, aPurchaseView({ expiresAt: minute(minutes) }))
    expect(message.preview).toContain(deadline)
    for (const form of [renderText(message), renderHtml(message)]) expect(form).toContain(deadline)
  })
})

test('an address stands in groups to compare, and in one piece to copy', () => {
  const message = everyMail('en').purchase_created
  const groups = '0x52 9084 0009 8527 886E 0F70 3006 9857 D2E4 16 9EE7'
  expect(renderText(message)).toContain('Address: 0x52 9084 0009 8527 886E')
  expect(groups.replaceAll(' ', '')).toBe(ADDRESS)
  expect(renderText(message)).toContain(`To copy: ${ADDRESS}\n`)
  const html = renderHtml(message)
  expect(html).toContain('>0x52</span><wbr>')
  expect(html).toMatch(new RegExp(`To copy: <span[^>]*>${ADDRESS}</span>`))
})

describe('the receipt', () => {
  const english = everyMail('en').purchase_completed

  test('has every fact of the purchase', () => {
    expect(rowsOf(english)).toEqual([
      ['Seller', 'Example Ltd, London, United Kingdom, registered as 01234567'],
      ['Buyer', 'Ada Lovelace'],
      ['Purchase', '3F9A-12BC'],
      ['Date', '1 January 2030 at 00:12 UTC'],
      ['Paid', '0.39780927 ETH'],
      ['In dollars', '$1,000'],
      ['Token price', '$0.1'],
      ['Tokens', '10,000'],
      ['Stage Bonus', '+ 1,000'],
      ['$ Amount Purchase Bonus', '+ 500'],
      ['Total', '11,500 EXA'],
      ['1 July 2030', '115'],
      ['1 August 2030', '2,277'],
      ['1 September 2030', '2,277'],
      ['1 October 2030', '2,277'],
      ['1 November 2030', '2,277'],
      ['1 December 2030', '2,277'],
      ['Total', '11,500 EXA'],
      ['Address', ADDRESS],
      ['Transaction', HASH],
      ['Terms', 'Version of 1 January 2030'],
    ])
    expect(renderHtml(english)).toContain(`href="https://etherscan.io/tx/${HASH}"`)
    expect(renderText(english)).toContain('Your tokens are released in 6 parts:')
    expect(renderText(english)).toContain('You can lose everything that you put in.')
  })

  test('has them in German, with what the sale file translates', () => {
    const german = everyMail('de').purchase_completed
    expect(rowsOf(german)).toEqual([
      ['Verkäufer', 'Example Ltd, London, United Kingdom, eingetragen unter 01234567'],
      ['Käufer', 'Ada Lovelace'],
      ['Kauf', '3F9A-12BC'],
      ['Datum', '1. Januar 2030 um 00:12 Uhr UTC'],
      ['Bezahlt', '0.39780927 ETH'],
      ['In Dollar', '$1,000'],
      ['Tokenpreis', '$0.1'],
      ['Token', '10,000'],
      ['Phasenbonus', '+ 1,000'],
      ['Bonus auf den Kaufbetrag in $', '+ 500'],
      ['Gesamt', '11,500 EXA'],
      ['1. Juli 2030', '115'],
      ['1. August 2030', '2,277'],
      ['1. September 2030', '2,277'],
      ['1. Oktober 2030', '2,277'],
      ['1. November 2030', '2,277'],
      ['1. Dezember 2030', '2,277'],
      ['Gesamt', '11,500 EXA'],
      ['Adresse', ADDRESS],
      ['Transaktion', HASH],
      ['Bedingungen', 'Fassung vom 1. Januar 2030'],
    ])
    expect(renderText(german)).toContain('Sie können alles verlieren, was Sie einsetzen.')
    expect(renderText(german)).not.toContain('You can lose')
  })

  test('has lines that add up to the last digit, and cents', () => {
    const third = tokens('3333.333333333333333333')
    const message = purchaseCompletedMessage(
      aLetter(),
      aCompletedView({
        actualUsd: dollars('333.336'),
        actualCrypto: eth('0.132603090000000001'),
        tokens: {
          base: third,
          bonuses: { base_bonus: third, spending_bonus: third },
          total: tokens('9999.999999999999999999'),
        },
      }),
    )
    const values = new Map(rowsOf(message).map(([label = '', value = '']) => [label, value]))
    expect(values.get('Paid')).toBe('0.132603090000000001 ETH')
    expect(values.get('In dollars')).toBe('$333.34')
    const lines = ['Tokens', 'Stage Bonus', '$ Amount Purchase Bonus']
    const hundredths = lines.map((label) => Number(values.get(label)?.replaceAll(/\D/g, '')))
    expect(hundredths.reduce((sum, part) => sum + part, 0)).toBe(999_999)
    expect(values.get('Total')).toBe('9,999.99 EXA')
  })

  test('names the average price where the price that was held is not what was paid', () => {
    const message = purchaseCompletedMessage(
      aLetter(),
      aCompletedView({ reason: 'late', actualUsd: dollars('1200') }),
    )
    expect(rowsOf(message)).toContainEqual(['Average token price', '$0.12'])
  })

  test('leaves out what a sale does not say, and the name of an unproved address', () => {
    const sale = {
      ...aTalkativeSale({ seller: null, risk: null, contactEmail: null }),
      vesting: null,
    }
    const message = everyMail('en', { sale, name: null }).purchase_completed
    const labels = rowsOf(message).map(([label]) => label)
    expect(labels).not.toContain('Seller')
    expect(labels).not.toContain('Buyer')
    const form = renderText(message)
    for (const word of ['Lovelace', 'released', 'Questions', 'lose', 'Sold by']) {
      expect(form).not.toContain(word)
    }
  })

  /** The receipt of 11,500 tokens that are released so. */
  const releasedBy = (schedule: ReleaseSchedule, startsAt: Date | null) =>
    everyMail('en', { sale: { ...aTalkativeSale(), vesting: { startsAt, ...schedule } } })
      .purchase_completed

  test('says in a sentence when tokens are released all at once', () => {
    const day = new Date('2030-07-01T00:00:00Z')
    expect(renderText(releasedBy(AT_ONCE, day))).toContain(
      'Your tokens are released on 1 July 2030, all at once.',
    )
    const undated = renderText(releasedBy(AT_ONCE, null))
    expect(undated).toContain('Your tokens are released at launch, all at once.')
    expect(undated).toContain('The day of the launch is not set yet.')
  })

  test('has a row for each release, and they add up to the tokens', () => {
    const schedule = linearSchedule({ first: percent('1'), months: 3, cliff: null })
    const day = new Date('2030-01-31T00:00:00Z')
    expect(renderText(releasedBy(schedule, day))).toContain('released in 4 parts:')
    /** Those of the table that is below the sentence on releases. */
    const releases = (message: Message) => {
      const at = message.parts.findIndex(
        (part) => part.kind === 'text' && part.text.includes('parts:'),
      )
      return rowsOf({ ...message, parts: message.parts.slice(at, at + 2) })
    }
    expect(releases(releasedBy(schedule, day))).toEqual([
      ['31 January 2030', '115'],
      ['28 February 2030', '3,795'],
      ['31 March 2030', '3,795'],
      ['30 April 2030', '3,795'],
      ['Total', '11,500 EXA'],
    ])
    expect(releases(releasedBy(schedule, null)).slice(0, 2)).toEqual([
      ['At launch', '115'],
      ['1 month after launch', '3,795'],
    ])
  })

  test('goes by the schedule of the stage of the purchase', () => {
    const sale = aTalkativeSale()
    const stages = [aStage({ vesting: AT_ONCE })]
    const message = everyMail('en', { sale: { ...sale, stages } }).purchase_completed
    expect(renderText(message)).toContain('released on 1 July 2030, all at once.')
  })

  test('puts many releases into a few rows', () => {
    const schedule = linearSchedule({ first: percent('0'), months: 120, cliff: null })
    const rows = rowsOf(releasedBy(schedule, new Date('2030-01-01T00:00:00Z')))
    const end = rows.findLastIndex(([label]) => label === 'Total')
    expect(rows[end - 14]?.[0]).toBe('1 February 2030')
    expect(rows[end - 1]?.[0]).toBe('107 more, the last: 1 January 2040')
    expect(rows[end]?.[1]).toBe('11,500.00 EXA')
  })

  test('calls each bonus what the page calls it', () => {
    expect(mailTexts.en.receipt.bonuses).toEqual(buy.bonuses.labels)
    expect(mailTexts.de.receipt.bonuses).toEqual(germanBuy.bonuses.labels)
  })
})

test('a mail about a refund does not say in German that the tokens had run out', () => {
  const german = renderText(everyMail('de').purchase_refund_listed)
  expect(german).toContain('höher war als verlangt: der Teil, der nicht verwendet werden konnte.')
  expect(german).toContain('nach Ablauf der Zeit zum Bezahlen: der Teil, der nicht verwendet')
  expect(german).not.toContain('keine Token mehr gab')
})

test('a refund that has been paid is headed in German as every other one', () => {
  const { purchase_refund_paid: ofPurchase, refund_claim_paid: ofClaim } = everyMail('de')
  expect(ofPurchase.heading).toBe('Ihre Erstattung ist erfolgt')
  expect(ofPurchase.heading).toBe(ofClaim.heading)
})

describe.each(['withdrawn', 'soft_cap'] as const)('what is owed back because of %s', (why) => {
  const refunds = [{ receiptId: 'receipt-1', amount: eth('0.1'), why }]
  const network = 'Ethereum (ERC20)'
  const paid = { amount: '0.1 ETH', network, why, hash: HASH, explorerUrl: null }

  test.each(pageLanguages)(
    'did buy tokens, so no mail in %s says that it could not',
    (language) => {
      const letter = aLetter({ language })
      const listed = purchaseRefundListedMessage(letter, aCompletedView(), refunds)
      for (const message of [listed, purchaseRefundPaidMessage(letter, aCompletedView(), paid)]) {
        const mail = `${message.preview} ${renderText(message)}`
        expect(mail).not.toMatch(/could not|konnte|nicht verwende/)
      }
    },
  )
})

test.each(pageLanguages)('the mail in %s about a held purchase says what is so', (language) => {
  const purchase = aCompletedView({ status: 'processing', reason: 'held' })
  const held = purchaseProcessingMessage(aLetter({ language }), purchase, true)
  const { processing } = mailTexts[language].purchase
  expect(renderText(held)).toContain(processing.held.takenBack)
  for (const text of [processing.preview, processing.heading]) {
    expect([held.preview, held.heading, renderText(held)].join()).not.toContain(text)
  }
})

test('the mail about a withdrawal says who pays the network fee', () => {
  const mail = (language: 'en' | 'de') => renderText(everyMail(language).purchase_withdrawn)
  expect(mail('en')).toContain('in the same coin, and the sale pays the network fee')
  expect(mail('de')).toContain('und die Netzwerkgebühr trägt der Verkauf')
})
