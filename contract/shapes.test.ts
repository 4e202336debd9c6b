import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { saleContract } from './sale.ts'
import { Banner, Project, Transaction, User } from './shapes.ts'
import { usersContract } from './users.ts'

const id = '0197b7a0-0000-7000-8000-000000000001'
const date = '2030-01-01T12:00:00Z'

const user = {
  id,
  first_name: 'Ada',
  last_name: 'Lovelace',
  nationality: 'GB',
  mobile: null,
  email: 'ada@example.com',
  is_email_verified: true,
  signup_date: date,
  tokens: { base: 0, bonuses: 0, total: 0 },
}

const paymentToken = {
  id: 'eth',
  name: 'Ethereum',
  short_name: 'ETH',
  chain: 'ERC20',
  payment_provider_ids: {},
}

const project = {
  name: 'Pear',
  symbol: 'PEAR',
  main_site_url: 'https://pear.example',
  frontend_url: 'https://presale.pear.example',
  payment_tokens: [paymentToken],
}

const transaction = {
  id,
  type: 'purchase',
  status: 'processing',
  status_reason: null,
  user_id: id,
  payment_token: paymentToken,
  payment_address: '0x00',
  payment_id: 'x',
  initial_purchase_amount_crypto: 0.4,
  initial_purchase_amount_fiat: 1000,
  actual_purchase_amount_crypto: null,
  actual_purchase_amount_fiat: null,
  created_date: date,
  expires_date: date,
  completed_date: null,
  token_price: 0.01,
  tokens: { base: 100_000, bonuses: {}, total: 100_000 },
  payment_amount: '0',
  payment_uri: null,
  confirmations: 0,
  required_confirmations: 2,
  receipts: [{ id, amount: '0.4', confirmations: 0, seen_date: date, explorer_url: null }],
}

const banner = {
  id: 'welcome',
  message: 'Hello',
  tone: 'info',
  link_url: null,
  link_label: null,
  dismissible: true,
  starts_date: null,
  ends_date: null,
}

describe('a reply that has only the fields of the specification', () => {
  it('is a user', () => {
    expect(z.parse(User, user)).toEqual({ ...user, paid_amount_fiat: 0, language: 'en' })
  })

  it('is a project with payment tokens', () => {
    const read = z.parse(Project, project)
    expect(read).toMatchObject(project)
    expect(read).toMatchObject({ decimals: 18, links: { header: {}, footer: {} }, info: null })
    expect(read.payment_tokens).toMatchObject([{ decimals: 18, min_amount_fiat: 0 }])
  })

  it('is a transaction, on its own and in a page', () => {
    const read = z.parse(Transaction, transaction)
    expect(read).toMatchObject(transaction)
    expect(read).toMatchObject({ refunds: [], withdrawn_date: null })
    const page = { data: [transaction], before: null, after: null }
    expect(z.parse(usersContract.listTransactions.result, page).data).toEqual([read])
  })

  it('is the minimum of a payment token, which is available', () => {
    const minimum = { token_id: 'eth', min_amount_fiat: 10 }
    expect(z.parse(saleContract.getTokenMinimum.result, minimum)).toEqual({
      ...minimum,
      rail_min_amount_fiat: 0,
      is_available: true,
      is_last_remainder: false,
    })
  })

  it('is a banner that is shown whatever the status of the sale', () => {
    const { while: shownWhile } = z.parse(Banner, banner)
    expect(shownWhile).toEqual(['NOT_STARTED', 'ACTIVE', 'PAUSED', 'ENDED'])
  })

  it('is a promotion', () => {
    const promotions = { launch: { image: 'iVBORw0', buy_params: { usd_amount: 1000 } } }
    expect(z.parse(saleContract.getPromotionImages.result, promotions)).toMatchObject(promotions)
  })
})

it('is no user without what the specification has of one', () => {
  for (const name of Object.keys(user)) {
    expect(z.safeParse(User, { ...user, [name]: undefined }).success, name).toBe(false)
  }
})
