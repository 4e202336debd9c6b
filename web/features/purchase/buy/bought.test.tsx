import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { Transaction } from '#contract/shapes.ts'
import { aWireTransaction } from '#tests/kit/builders/a-wire-transaction.ts'
import { Bought } from './bought.tsx'

function wordsOf(change: Partial<Transaction>): string | undefined {
  const purchase = aWireTransaction({ status: 'processing', ...change })
  const html = renderToStaticMarkup(<Bought purchase={purchase} symbol="PEAR" onAgain={() => {}} />)
  return /<p[^>]*>([^<]*)</.exec(html)?.[1]
}

it('says what became of the payment, and of one that is held that it is under review', () => {
  expect(wordsOf({ status: 'completed' })).toBe('11,000,000 PEAR are yours.')
  expect(wordsOf({})).toBe('Your payment has arrived, and is being confirmed.')
  expect(wordsOf({ status_reason: 'held' })).toContain('our team is reviewing it')
})
