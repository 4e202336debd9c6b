import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Overview } from '#contract/operator/console.ts'
import { Health } from './health.tsx'

test('mails that were counted only up to a thousand are shown as that many or more', () => {
  const mails = { unsent: 1000, oldest_unsent_date: '2030-01-01T12:00:00.000Z', given_up: 1000 }
  const state = { chains: [], check: null }
  const card = renderToStaticMarkup(
    <Health overview={{ state, feeds: [], mails } as unknown as Overview} />,
  )
  expect(card).toContain('1,000+ waiting')
  expect(card).toContain('1,000+ given up')
})
