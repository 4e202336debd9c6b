import { expect, type Locator, type Page } from '@playwright/test'

import type { Transaction } from '#contract/shapes.ts'
import { transactionStates } from '#domain/settlement/outcome.ts'
import {
  aWireReceipt,
  aWireRefund,
  aWireTransaction,
} from '#tests/kit/builders/a-wire-transaction.ts'

export const LIST = '**/api/v1/users/*/transactions?*'

const MINUTE_MS = 60_000

/** A purchase as a list has it, made a minute ago and held for another twenty. */
export function aListed(change: Partial<Transaction> = {}): Transaction {
  return aWireTransaction({
    created_date: new Date(Date.now() - MINUTE_MS).toISOString(),
    expires_date: new Date(Date.now() + 20.5 * MINUTE_MS).toISOString(),
    ...change,
  })
}

/** One of each status, with the longest amounts that people have. */
export function everyStatus(): Transaction[] {
  const long = {
    initial_purchase_amount_crypto: 9_721_702.1234567,
    initial_purchase_amount_fiat: 498_849.27001,
    tokens: { base: 12_345_678_901.23, bonuses: {}, total: 12_345_678_901.23 },
  }
  const half = { ...long, receipts: [aWireReceipt('4860851.06')] }
  return [
    aListed({ ...long, status: 'completed' }),
    aListed({ ...half, status: 'processing', confirmations: 1 }),
    aListed(half),
    aListed({ ...long, status: 'expired' }),
    aListed({ ...half, status: 'failed', refunds: [aWireRefund({ amount: '4860851.06' })] }),
  ]
}

/** Makes these the list of a page, filtered as requested. */
export async function listThese(page: Page, all: readonly Transaction[]): Promise<void> {
  await page.route(LIST, (route) => {
    const asked = new URL(route.request().url()).searchParams.get('state')
    const state = transactionStates.find((known) => known === asked)
    const data = state === undefined ? all : all.filter((one) => isIn(one, state))
    const shown = { before: null, after: null, total: data.length, position: 0 }
    return route.fulfill({ json: { data: data.slice(0, 5), ...shown } })
  })
}

function isIn({ status, refunds }: Transaction, state: (typeof transactionStates)[number]) {
  switch (state) {
    case 'open':
      return status === 'pending' || status === 'processing'
    case 'done':
      return status === 'completed'
    case 'refund':
      return refunds.some((refund) => refund.status === 'due')
  }
}

/** In no row does a text overlap another, or leave the row sideways. */
export async function expectRoomForTexts(rows: Locator, what: string): Promise<void> {
  const faults = await rows.evaluateAll((all) =>
    all.flatMap((row) => {
      const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
      const texts: { text: string; box: DOMRect }[] = []
      while (walker.nextNode() !== null) {
        const range = document.createRange()
        range.selectNodeContents(walker.currentNode)
        const text = walker.currentNode.textContent?.trim() ?? ''
        if (text === '') continue
        for (const box of range.getClientRects()) if (box.width > 1) texts.push({ text, box })
      }
      for (const button of row.querySelectorAll('button, [data-tone]')) {
        texts.push({ text: `[${button.textContent}]`, box: button.getBoundingClientRect() })
      }
      const edge = row.getBoundingClientRect()
      const outside = texts
        .filter(({ box }) => box.left < edge.left - 1 || box.right > edge.right + 1)
        .map(({ text }) => `${text} leaves its row`)
      const covered = texts.flatMap((one, index) =>
        texts
          .slice(index + 1)
          .filter((other) => one.text !== other.text)
          .filter((other) => `[${one.text}]` !== other.text && !other.text.includes(one.text))
          .filter(({ box }) => {
            const width = Math.min(one.box.right, box.right) - Math.max(one.box.left, box.left)
            const height = Math.min(one.box.bottom, box.bottom) - Math.max(one.box.top, box.top)
            // Lines of text are higher than their letters.
            return width > 1 && height > 8
          })
          .map((other) => `${one.text} lies on ${other.text}`),
      )
      return [...outside, ...covered]
    }),
  )
  expect.soft(faults, what).toEqual([])
}
