import { expect } from '@playwright/test'

import { saleContract } from '#contract/sale.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import type { Stage, Transaction } from '#contract/shapes.ts'
import { usersContract } from '#contract/users.ts'
import { callProduct } from './client.ts'
import type { LoggedIn, Person } from './people.ts'

/**
 * The mailbox has a mail to verify the address, one with what is to be paid, and one about the
 * tokens.
 */
export async function expectMails(
  address: string,
  buyer: Person,
  purchase: Transaction,
): Promise<void> {
  const list = async () => {
    const mails = await callProduct(address, sandboxContract.listMails, {
      query: { to: buyer.email },
    })
    return mails.map((mail) => `${mail.subject}\n${mail.text}`)
  }
  const story = [
    `${address}/verify-email?token=`,
    purchase.payment_address ?? '',
    purchase.payment_amount ?? '',
    '13,300,000',
  ]
  await expect
    .poll(async () => {
      const mails = (await list()).join('\n')
      return story.filter((part) => !mails.includes(part))
    })
    .toEqual([])
}

/** One friend counted, and the reward credited once, at the price while it was earned. */
export async function expectReward(
  address: string,
  referrer: LoggedIn,
  before: Stage,
): Promise<void> {
  const { accessToken } = referrer
  const params = { id: referrer.user.id }
  const stats = () => callProduct(address, usersContract.getReferrals, { params }, accessToken)
  await expect.poll(async () => (await stats()).earned_tokens).toBeGreaterThan(0)
  const after = await callProduct(address, saleContract.getActiveStage, {})
  const { referred, earned_tokens: earned } = await stats()
  const { earn } = before.bonuses.referrals
  expect(referred).toBe(1)
  expect(earned).toBeLessThanOrEqual(earn / before.token_price)
  expect(earned).toBeGreaterThanOrEqual(Math.floor(earn / after.token_price))

  const user = await callProduct(address, usersContract.getUser, { params }, accessToken)
  expect(user.tokens.total).toBe(earned)
  const { data } = await callProduct(
    address,
    usersContract.listTransactions,
    { params, query: {} },
    accessToken,
  )
  expect(data).toMatchObject([
    { type: 'referral', status: 'completed', payment_token: null, tokens: { total: earned } },
  ])
}
