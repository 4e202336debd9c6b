import { expect, test } from 'vitest'

import type { PageLanguage } from '#domain/language.ts'
import type { RefundView } from '#server/use-cases/purchases/transaction-view.ts'
import { aPaymentToken, eth } from '#tests/kit/builders/domain-builders.ts'
import { aCompletedView, aLetter, HASH } from '#tests/kit/builders/every-mail.ts'
import { renderText } from './render-text.ts'
import { purchaseCompletedMessage } from './receipt-message.ts'

const due: RefundView = {
  asset: '',
  amount: eth('0.25'),
  why: 'overpaid',
  claim: null,
  paymentToken: aPaymentToken(),
  sent: null,
  paidBy: null,
}
const paidBy = { transactionHash: HASH, explorerUrl: null }
const sent: RefundView = { ...due, amount: eth('0.5'), sent: eth('0.5'), paidBy }
const other: RefundView = { ...due, why: 'wrong_asset', paymentToken: null }

test.each<[PageLanguage, 'overpaid' | 'late' | 'wrong_asset', RefundView[], string]>([
  ['en', 'overpaid', [], 'all of it has bought tokens.'],
  ['en', 'overpaid', [due], 'In all, 0.25 ETH could not buy tokens and is owed back to you'],
  [
    'en',
    'overpaid',
    [sent],
    'In all, 0.5 ETH could not buy tokens and has been sent back, less any network fee.',
  ],
  [
    'en',
    'late',
    [sent],
    'fewer tokens. In all, 0.5 ETH could not buy tokens and has been sent back, less any network fee.',
  ],
  [
    'en',
    'overpaid',
    [sent, due],
    '0.5 ETH has been sent back, less any network fee, and 0.25 ETH is owed back to you',
  ],
  ['en', 'wrong_asset', [other], 'It is owed back to you: open the purchase to get it back.'],
  ['en', 'wrong_asset', [{ ...other, paidBy }], 'It has been sent back.'],
  ['de', 'overpaid', [], 'für alles haben Sie Token erhalten.'],
  [
    'de',
    'overpaid',
    [sent],
    '0.5 ETH nicht verwendet werden und wurden abzüglich einer etwaigen Netzwerkgebühr zurückgesendet.',
  ],
  [
    'de',
    'overpaid',
    [sent, due],
    '0.5 ETH abzüglich einer etwaigen Netzwerkgebühr zurückgesendet; um 0.25 ETH zurückzubekommen',
  ],
  ['de', 'wrong_asset', [{ ...other, paidBy }], 'Es wurde zurückgesendet.'],
])('a receipt in %s of a purchase that is %s says what became of the rest', (...row) => {
  const [language, reason, refunds, words] = row
  const message = purchaseCompletedMessage(
    aLetter({ language }),
    aCompletedView({ reason, refunds }),
  )
  expect(renderText(message).replaceAll(/\s+/g, ' ')).toContain(words)
})
