import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Delivery } from '#contract/delivery/deliveries.ts'
import { DeliveryPart } from './delivery-part.tsx'

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

function shown(change: Partial<Delivery>): string {
  const part: Delivery = {
    distribution_id: '1',
    tool: 'sablier_instant',
    state: 'published',
    tokens: '100',
    wallet: WALLET,
    token: WALLET,
    wallet_amount: '100',
    wallet_arrived: '0',
    is_to_claim: true,
    claim_url: 'https://app.sablier.example/airdrops/1',
    claim: null,
    is_withheld: false,
    expires_date: null,
    transfers: [],
    ...change,
  }
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <DeliveryPart part={part} symbol="PEAR" isOneOfMany={false} />
    </MemoryRouter>,
  )
  return html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

const delivered: Partial<Delivery> = {
  state: 'delivered',
  wallet_arrived: '100',
  transfers: [
    {
      transaction_hash: `0x${'ab'.repeat(32)}`,
      explorer_url: null,
      receiver: WALLET,
      date: '2030-01-01T00:00:00Z',
      confirmations: 2,
      required_confirmations: 2,
    },
  ],
}

test('tokens that were claimed at once have arrived', () => {
  expect(shown(delivered)).toMatch(/Delivered.*Confirmed for good\. Arrived on/)
})

test('a stream that was claimed says where its tokens are withdrawn, and that none is a fee of ours', () => {
  for (const tool of ['sablier_linear', 'sablier_tranched'] as const) {
    const text = shown({ ...delivered, tool })
    expect(text).not.toMatch(/Arrived|Delivered/)
    expect(text).toMatch(/Claimed as a stream.*Withdraw the tokens on Sablier’s page/)
    expect(text).toContain('No fee is ours.')
    expect(text).toContain('Open Sablier’s page')
  }
})

test('whoever claims by a tool with fees of its own is told so before', () => {
  expect(shown({})).toContain('the tool may charge one of its own')
  expect(shown({ tool: 'sablier_linear' })).toMatch(/Stream ready.*Sablier may charge one/)
})

test('whoever has to sign before they can claim is told so', () => {
  const text = shown({ tool: 'uniswap', claim_url: null, is_withheld: true })
  expect(text).toMatch(/first sign with your wallet 0x5aAe.*Sign with the wallet/)
  expect(shown({ tool: 'uniswap', claim_url: null })).not.toContain('Sign with')
})

test('tokens that are taken back before the time to claim ends are owed, and no time is over', () => {
  const text = shown({ state: 'swept', expires_date: '2999-01-01T00:00:00Z' })
  expect(text).toContain('We still owe you these tokens')
  expect(text).not.toMatch(/time to claim|2999/)
})
