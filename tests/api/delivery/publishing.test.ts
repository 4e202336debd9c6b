import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { deliveriesContract } from '#contract/delivery/deliveries.ts'
import { consoleContract } from '#contract/operator/console.ts'
import { approvalsContract } from '#contract/operator/approvals.ts'
import { distributionsContract } from '#contract/operator/distributions.ts'
import type { DistributionTool } from '#domain/delivery/distribution.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { ClaimContract, WatchedDistribution } from '#server/ports/claims.ts'
import { carryOutApproved } from '#server/use-cases/approved/carry-out.ts'
import { createDeliveryMails } from '#server/use-cases/deliveries/delivery-mails.ts'
import { followDistributions } from '#server/use-cases/deliveries/follow-distributions.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { anOperatorPerson, waitOf } from '#tests/kit/builders/an-operator-person.ts'
import { operator } from '#tests/kit/builders/an-operator.ts'
import {
  aSnapshot,
  deliveredSale,
  TOKEN_CONTRACT,
  walletOf,
} from '#tests/kit/delivery/a-snapshot.ts'
import {
  aDistribution,
  close,
  download,
  publish,
  tryToMake,
  withdraw,
} from '#tests/kit/delivery/distribution-calls.ts'
import { playChain, readingOf, seenAt } from '#tests/kit/delivery/played-chain.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const ONE = 10n ** 18n
const CONTRACT = walletOf(99)

let app: TestApp
beforeEach(async () => {
  app = await startApp({ changeSale: deliveredSale() })
})
afterEach(() => app.close())

/** Names a wallet for a user, as pasted: nobody has shown that it is theirs. */
async function paste(userId: string, address: string) {
  await app.open.database
    .insertInto('receiving_wallets')
    .values({
      id: randomUUID(),
      user_id: userId,
      chain_id: 56n,
      address,
      proof: 'none',
      set_at: app.clock.now(),
      effective_at: app.clock.now(),
    })
    .execute()
}

const recordOf = async (id: string) => {
  const call = distributionsContract.getDistribution
  return (await app.client.call(call, { params: { id } }, operator)).body
}
const stateOf = async (id: string) => (await recordOf(id)).state
const progressOf = async (id: string) => (await recordOf(id)).progress

describe('a list is refused', () => {
  test('where an owner has another wallet by now than the snapshot names', async () => {
    const [ann] = await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    const made = await aDistribution(app, { tool: 'uniswap', through: 0 })
    await paste(ann?.userId ?? '', walletOf(2))
    const refused = await tryToMake(app, { tool: 'uniswap' })
    expect(refused.refusal.message).toContain(
      '1 of its owners have a wallet other than the one in snapshot 1',
    )
    const published = await publish(app, made.id, { contract: CONTRACT })
    expect(published.refusal.message).toContain('correct the snapshot first')
  })

  test('if it is from an older snapshot than the newest', async () => {
    const owners = await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    const made = await aDistribution(app, { tool: 'uniswap' })
    await aSnapshot(app, owners)
    const { refusal } = await publish(app, made.id, { contract: CONTRACT })
    expect(refusal.message).toContain('The newest snapshot is 2')
  })
})

test('a list is out of date once the sale releases its tokens by another schedule', async () => {
  await aSnapshot(app, [
    { tokens: ONE, wallet: walletOf(1) },
    { tokens: ONE, wallet: walletOf(2) },
  ])
  const { id } = await aDistribution(app, { tool: 'sablier_tranched' })
  const { sale } = app.services
  const startsAt = new Date((sale.vesting?.startsAt?.getTime() ?? 0) - 24 * 60 * 60_000)
  Object.assign(app.services, {
    sale: { ...sale, vesting: sale.vesting && { ...sale.vesting, startsAt } },
  })
  const place = { contract: CONTRACT, claim_url: 'https://claim.example/it' }
  const { refusal } = await publish(app, id, place)
  expect(refusal.message).toContain('by another schedule than the one that this list has')
  const handedOut = { ...place, is_handed_out: true }
  expect((await publish(app, id, handedOut)).body.state).toBe('published')
})

test('a list is out of date once the sale file names another contract, chain or decimals', async () => {
  await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
  const { id } = await aDistribution(app, { tool: 'uniswap' })
  const { sale } = app.services
  const others = [
    deliveredSale({}, walletOf(7)),
    deliveredSale({ decimals: sale.project.decimals - 1 }),
    deliveredSale({ chainId: 57 }),
  ]
  for (const other of others) {
    Object.assign(app.services, { sale: other(sale) })
    const { refusal } = await publish(app, id, { contract: CONTRACT })
    expect(refusal.message).toContain('than the one that this list was made for')
  }
  Object.assign(app.services, { sale })
  expect((await publish(app, id, { contract: CONTRACT })).body.state).toBe('published')
})

test('an approved list is not compared with the schedule of a sale that was replaced', async () => {
  await aSnapshot(app, [
    { tokens: ONE, wallet: walletOf(1) },
    { tokens: ONE, wallet: walletOf(2) },
  ])
  const { id } = await aDistribution(app, { tool: 'sablier_tranched' })
  const [ann, ben] = [await anOperatorPerson(app, 'owner'), await anOperatorPerson(app, 'owner')]
  const place = { contract: CONTRACT, claim_url: 'https://claim.example/it' }
  const asked = waitOf(await publish(app, id, place, ann.as))
  const approval = { params: { id: asked.id }, headers: {}, body: { hash: asked.hash } }
  // None is applied before the first one.
  app.services.saleFileId += 1n
  await app.client.call(approvalsContract.approveAct, approval, ben.as)
  expect(await stateOf(id), 'by an instance that does not use the new sale yet').toBe('made')

  app.services.saleFileId -= 1n
  const { sale } = app.services
  const startsAt = new Date((sale.vesting?.startsAt?.getTime() ?? 0) - 24 * 60 * 60_000)
  Object.assign(app.services, {
    sale: { ...sale, vesting: sale.vesting && { ...sale.vesting, startsAt } },
  })
  app.clock.pass(60_000)
  await carryOutApproved(app.services)
  const call = { params: { id: asked.id } }
  const { body } = await app.client.call(approvalsContract.getApproval, call, ann.as)
  expect(body).toMatchObject({ state: 'failed', reason: expect.stringContaining('schedule') })
})

describe('a list that was handed out', () => {
  const handedOut = { contract: CONTRACT, is_handed_out: true }

  test('is published although it is out of date, as the second person reads', async () => {
    const owners = await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    const made = await aDistribution(app, { tool: 'plain' })
    await aSnapshot(app, [...owners, { tokens: ONE, wallet: walletOf(2) }])
    const [ann, ben] = [await anOperatorPerson(app, 'owner'), await anOperatorPerson(app, 'owner')]
    const { refusal } = await publish(app, made.id, { contract: CONTRACT }, ann.as)
    expect(refusal.message).toContain('if it was handed out already, say so')
    const asked = waitOf(await publish(app, made.id, handedOut, ann.as))
    expect(asked.summary).toContain('though it is out of date. The newest snapshot is 2')
    const decide = { params: { id: asked.id }, headers: {}, body: { hash: asked.hash } }
    await app.client.call(approvalsContract.approveAct, decide, ben.as)
    expect(await stateOf(made.id)).toBe('published')
    // What it has given is not handed out again.
    expect((await aDistribution(app, { tool: 'plain', snapshot: 2 })).amount).toBe('1')
    playChain(app, {
      read: async () => readingOf([seenAt({ owner: walletOf(1).toLowerCase(), amount: ONE }, 5n)]),
    })
    await followDistributions(app.services)
    expect((await withdraw(app, made.id)).refusal.message).toContain('reached their owners')
  })

  test('may be one whose files were downloaded, so that two people withdraw that', async () => {
    await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    const [ann, ben] = [await anOperatorPerson(app, 'owner'), await anOperatorPerson(app, 'owner')]
    const unused = await aDistribution(app, { tool: 'plain' })
    expect((await withdraw(app, unused.id, ann.as)).body.state).toBe('withdrawn')
    const { id, files } = await aDistribution(app, { tool: 'plain' })
    await download(app, id, files[0]?.name ?? '')
    const asked = waitOf(await withdraw(app, id, ann.as))
    expect(asked.summary).toContain('whose files were downloaded')
    expect(await stateOf(id)).toBe('made')

    // It is another thing once the list is handed out.
    playChain(app)
    await publish(app, id, { contract: CONTRACT })
    await followDistributions(app.services)
    const approval = { params: { id: asked.id }, body: { hash: asked.hash } }
    const { body } = await app.client.call(approvalsContract.approveAct, approval, ben.as)
    expect(body.reason).toBe('It was published after this was asked for. Look at it again')
    expect(await stateOf(id)).toBe('published')
  })
})

describe('a contract is refused', () => {
  /** What is refused of a list that is published where a node shows such a contract. */
  async function refusalOf(
    claim: Partial<ClaimContract>,
    { fromBlock = '20', isHandedOut = false } = {},
  ) {
    await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    const made = await aDistribution(app, { tool: 'uniswap' })
    const root = Buffer.from(made.root?.slice(2) ?? '', 'hex')
    const token = TOKEN_CONTRACT.toLowerCase()
    const right = { hasCode: true, root, token, remaining: ONE }
    playChain(app, { contractOf: async () => ({ ...right, ...claim }) })
    const place = { contract: CONTRACT, from_block: fromBlock, is_handed_out: isHandedOut }
    const reply = await publish(app, made.id, place)
    return reply.status === 200 ? null : reply.refusal
  }

  test('that has not this root', async () => {
    const refusal = await refusalOf({ root: Buffer.alloc(32, 7) })
    expect(refusal?.message).toContain(`has the root 0x${'07'.repeat(32)}`)
  })

  test('that has no root at all, or hands out no token', async () => {
    expect((await refusalOf({ root: null }))?.message).toContain('not one of this tool')
  })

  test('that hands out another token', async () => {
    expect((await refusalOf({ token: walletOf(5) }))?.message).toContain('hands out another token')
  })

  test('of something that is not one', async () => {
    expect((await refusalOf({ hasCode: false }))?.message).toContain('there is no contract')
  })

  test('whose first block does not exist yet', async () => {
    expect((await refusalOf({}, { fromBlock: '21' }))?.errors).toEqual([
      {
        path: 'from_block',
        message: expect.stringContaining('newest block of the chain is 20: give the one in which'),
      },
    ])
  })

  test('that cannot pay all of the list', async () => {
    const refusal = await refusalOf({ remaining: ONE - 1n })
    expect(refusal?.message).toContain('has 0.999999999999999999 of the 1 tokens')
  })

  test('but not for having less if some was claimed already', async () => {
    expect(await refusalOf({ remaining: 0n }, { isHandedOut: true })).toBeNull()
  })

  test('unless it has this root, this token and the amount', async () => {
    expect(await refusalOf({})).toBeNull()
  })
})

describe('a campaign of a contract that has many', () => {
  const made = (through: number, tool: DistributionTool = 'hedgey') =>
    aDistribution(app, { tool, through })
  const first = '6f0d3a52-1b7e-4c39-9a84-2d5e8f7a1c03'
  const claim_url = 'https://claim.example/it'
  const at = (campaign?: string) => ({
    contract: CONTRACT,
    claim_url,
    ...(campaign && { campaign }),
  })

  test('has to be named, once for each list', async () => {
    await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    const [one, two] = [await made(0), await made(1)]
    expect((await publish(app, one.id, at())).refusal.errors).toMatchObject([{ path: 'campaign' }])
    const wrong = await publish(app, one.id, at('0x1234'))
    expect(wrong.refusal.errors).toMatchObject([{ path: 'campaign' }])
    const published = await publish(app, one.id, at(first))
    expect(published.body.campaign).toBe('0x6f0d3a521b7e4c399a842d5e8f7a1c03')
    const again = await publish(app, two.id, at('0x6F0D3A521B7E4C399A842D5E8F7A1C03'))
    expect(again.refusal.message).toContain(`Distribution ${one.id} was published`)
    expect((await publish(app, two.id, at(`0x${'2e'.repeat(16)}`))).status).toBe(200)
  })

  test('has a page where buyers claim, which nobody could name later', async () => {
    await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    const { refusal } = await publish(app, (await made(0)).id, {
      contract: CONTRACT,
      campaign: first,
    })
    expect(refusal.errors).toMatchObject([{ path: 'claim_url' }])
  })

  test('is none of a tool whose contracts have one each', async () => {
    await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    const { refusal } = await publish(app, (await made(0, 'uniswap')).id, at(first))
    expect(refusal.errors).toMatchObject([{ path: 'campaign' }])
  })
})

describe('a published list', () => {
  test('is closed once its contract has nothing left, and so for good', async () => {
    await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    const { id } = await aDistribution(app, { tool: 'uniswap' })
    await publish(app, id, { contract: CONTRACT })
    const swept = readingOf([seenAt({ kind: 'swept', amount: ONE }, 15n)])
    playChain(app, { read: async () => swept, remaining: async () => 1n })
    await followDistributions(app.services)
    expect(await stateOf(id)).toBe('published')
    // It is empty, but what emptied it can still be taken back.
    playChain(app, { read: async () => ({ ...swept, lastSentAt: 21n }) })
    await followDistributions(app.services)
    expect(await stateOf(id)).toBe('published')
    playChain(app, { read: async () => ({ ...swept, lastSentAt: 15n }) })
    await followDistributions(app.services)
    expect(await stateOf(id)).toBe('closed')
    expect((await close(app, id)).refusal.reason).toBe('DistributionClosed')
  })

  test('that is closed has handed out what was claimed of it, and not all that it had', async () => {
    await aSnapshot(app, [
      { tokens: 2n * ONE, wallet: walletOf(1) },
      { tokens: 3n * ONE, wallet: walletOf(2) },
    ])
    const { id } = await aDistribution(app, { tool: 'uniswap' })
    const handedOut = async () => {
      const call = distributionsContract.lookAheadAtDistributions
      return (await app.client.call(call, {}, operator)).body.snapshot?.handed_out
    }
    expect(await handedOut()).toBe('5')
    await publish(app, id, { contract: CONTRACT })
    const owner = walletOf(1).toLowerCase()
    const claim = seenAt({ place: 0, owner, claimed: 2n * ONE, amount: 2n * ONE }, 14n)
    const rest = seenAt({ kind: 'swept', amount: 3n * ONE }, 15n)
    const reading = { ...readingOf([claim, rest]), lastSentAt: 15n }
    playChain(app, { read: async () => reading })
    await followDistributions(app.services)
    expect(await stateOf(id)).toBe('closed')
    expect(await handedOut()).toBe('2')
  })

  test('is not read past transfers that an earlier one of its sender still waits for', async () => {
    const ada = await aUser(app)
    await aSnapshot(app, [{ userId: ada.user.id, tokens: 1_000n * ONE, wallet: walletOf(1) }])
    await aDistribution(app, { tool: 'plain', through: 0 })
    const { id: first } = await aDistribution(app, { tool: 'plain', through: 1 })
    const { id: second } = await aDistribution(app, { tool: 'plain', through: 2 })
    const owner = walletOf(1).toLowerCase()
    const sent = [22n, 25n].map((height) =>
      seenAt({ kind: 'sent', owner, receiver: owner, amount: 198n * ONE }, height),
    )
    let head = 20n
    const read = async ({ settled, fromHeight }: WatchedDistribution) => {
      const after = settled?.height ?? fromHeight - 1n
      // There is more than is read at once.
      const through = after < 5n ? 5n : head
      const found = sent.filter(({ blockHeight: at }) => at > after && at <= through)
      return { ...readingOf(found, through), after, isWhole: through === head }
    }
    playChain(app, { read, height: async () => head })
    await publish(app, second, { contract: CONTRACT, from_block: '10' })
    await followDistributions(app.services)
    await publish(app, first, { contract: CONTRACT, from_block: '1' })
    head = 30n
    expect((await withdraw(app, second)).refusal.message).toContain('Try again in a minute')
    await followDistributions(app.services)
    const { body } = await app.client.call(deliveriesContract.listOwnDeliveries, {}, ada.as)
    expect(body.deliveries).toMatchObject([
      { distribution_id: second, state: 'delivered', wallet_arrived: '198' },
      { distribution_id: first, state: 'delivered', wallet_arrived: '198' },
    ])
  })

  test('that a wallet has sent twice is in the inbox, unless another list says so', async () => {
    const owners = await aSnapshot(app, [
      { tokens: ONE, wallet: walletOf(1) },
      { tokens: ONE, wallet: walletOf(2) },
    ])
    const first = await aDistribution(app, { tool: 'plain' })
    await publish(app, first.id, { contract: CONTRACT })
    const sent = [1, 2, 1, 2].map((number, nth) => {
      const owner = walletOf(number).toLowerCase()
      return seenAt({ kind: 'sent', owner, receiver: owner, amount: ONE }, BigInt(11 + nth))
    })
    const inbox = async () => {
      const query = { kind: 'late_delivery' as const }
      return (await app.client.call(consoleContract.listInbox, { query }, operator)).body.data
    }
    playChain(app, { read: async () => readingOf(sent.slice(0, 2)) })
    await followDistributions(app.services)
    expect(await inbox()).toEqual([])
    playChain(app, { read: async () => readingOf(sent) })
    for (let readings = 0; readings < 2; readings += 1) {
      await followDistributions(app.services)
      expect(await inbox()).toMatchObject([
        {
          title: `Tokens of distribution ${first.id} were sent again`,
          detail: 'Wallets that got the same amount once more: 2. No published list says so.',
        },
      ])
    }
    const call = distributionsContract.getDistribution
    const { body } = await app.client.call(call, { params: { id: first.id } }, operator)
    expect(body.progress).toMatchObject({ delivered: 2, arrived_amount: '2' })

    // The second transfers turn out to be those of another list.
    await aSnapshot(
      app,
      owners.map((owner) => ({ ...owner, tokens: 2n * ONE })),
    )
    const second = await aDistribution(app, { tool: 'plain', snapshot: 2 })
    await publish(app, second.id, { contract: CONTRACT })
    await followDistributions(app.services)
    expect(await inbox()).toEqual([])
    const put = { params: { id: second.id } }
    const taken = await app.client.call(call, put, operator)
    expect(taken.body.progress).toMatchObject({ delivered: 2 })
    await followDistributions(app.services)
    expect(await inbox()).toEqual([])
  })

  test('keeps what its wallet sends again or late, though a list with more waits', async () => {
    playChain(app)
    const userId = (await aUser(app)).user.id
    const publishNext = async (snapshot: number, tokens: bigint) => {
      await aSnapshot(app, [{ userId, tokens, wallet: walletOf(1) }])
      const { id } = await aDistribution(app, { tool: 'plain', snapshot })
      await publish(app, id, { contract: CONTRACT })
      return id
    }
    const owner = walletOf(1).toLowerCase()
    const sends = async (...amounts: bigint[]) => {
      const sent = amounts.map((amount, nth) =>
        seenAt({ kind: 'sent', owner, receiver: owner, amount }, BigInt(11 + nth)),
      )
      playChain(app, { read: async () => readingOf(sent) })
      for (let readings = 0; readings < 2; readings += 1) await followDistributions(app.services)
      const query = { kind: 'late_delivery' as const }
      const { body } = await app.client.call(consoleContract.listInbox, { query }, operator)
      return body.data.map(({ title }) => title)
    }
    const first = await publishNext(1, ONE)
    const second = await publishNext(2, 20n * ONE)
    expect(await sends(ONE)).toEqual([])
    expect(await sends(ONE, ONE)).toEqual([`Tokens of distribution ${first} were sent again`])
    expect(await progressOf(second)).toMatchObject({ delivered: 0, short: 0 })

    await close(app, second, { sendsNothingMore: true })
    const third = await publishNext(3, 40n * ONE)
    const late = `Tokens of distribution ${second} arrived after it had ended`
    expect(await sends(ONE, 19n * ONE)).toEqual([late])
    expect(await sends(ONE, 19n * ONE, 39n * ONE)).toEqual([late])
    expect(await progressOf(third)).toMatchObject({ delivered: 1, arrived_amount: '39' })
  })

  test('is closed by hand by two people who may manage deliveries', async () => {
    await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    const { id } = await aDistribution(app, { tool: 'plain' })
    await publish(app, id, { contract: CONTRACT })
    playChain(app)
    await followDistributions(app.services)
    const [ann, ben] = [await anOperatorPerson(app, 'owner'), await anOperatorPerson(app, 'owner')]
    const viewer = await anOperatorPerson(app, 'viewer')
    const closing = { sendsNothingMore: true }
    expect((await close(app, id, closing, viewer.as)).refusal.reason).toBe('PermissionMissing')
    const asked = await close(app, id, closing, ann.as)
    expect(asked.status).toBe(202)
    expect(await stateOf(id)).toBe('published')
    const { approval } = asked.body as unknown as { approval: { id: string; hash: string } }
    const decide = { params: { id: approval.id }, headers: {}, body: { hash: approval.hash } }
    const approved = await app.client.call(approvalsContract.approveAct, decide, ben.as)
    expect(approved.body).toMatchObject({ state: 'done' })
    expect(await stateOf(id)).toBe('closed')
    // Nothing of it had arrived, so that all of it is due again.
    expect((await aDistribution(app, { tool: 'plain' })).amount).toBe('1')
  })

  test('of which too much was taken back is mailed once there is enough for all', async () => {
    await aSnapshot(
      app,
      [1, 2, 3].map((number) => ({ tokens: 2n * ONE, wallet: walletOf(number) })),
    )
    const { id } = await aDistribution(app, { tool: 'uniswap' })
    await publish(app, id, { contract: CONTRACT })
    const swept = readingOf([seenAt({ kind: 'swept', amount: 1n }, 15n)])
    const mail = createDeliveryMails()
    const mailsWith = async (remaining: bigint) => {
      playChain(app, { read: async () => swept, remaining: async () => remaining })
      await followDistributions(app.services)
      await mail(app.services)
      const mails = app.open.database.selectFrom('outbox_mails').select('user_id')
      return (await mails.where('kind', '=', 'delivery_claimable').execute()).length
    }
    const inbox = async () => {
      const query = { kind: 'delivery' as const }
      return (await app.client.call(consoleContract.listInbox, { query }, operator)).body.data
    }
    // Enough for each of them, but not for all.
    expect(await mailsWith(6n * ONE - 1n)).toBe(0)
    expect(await progressOf(id)).toMatchObject({
      swept: 0,
      missing_amount: '0.000000000000000001',
    })
    expect(await inbox()).toMatchObject([
      {
        title: `Tokens of distribution ${id} are missing`,
        detail: expect.stringContaining('too little left'),
      },
    ])
    expect(await mailsWith(6n * ONE)).toBe(3)
    expect(await progressOf(id)).toMatchObject({ missing_amount: '0' })
    expect(await inbox()).toEqual([])
  })

  test('that is closed waits for no rest of what was sent in part', async () => {
    const owned = { userId: (await aUser(app)).user.id, wallet: walletOf(1) }
    await aSnapshot(app, [{ ...owned, tokens: 2n * ONE }])
    const { id } = await aDistribution(app, { tool: 'plain' })
    await publish(app, id, { contract: CONTRACT })
    const owner = walletOf(1).toLowerCase()
    const sent = [1n, 3n, 1n].map((tokens, nth) => {
      const amount = tokens * ONE
      return seenAt({ kind: 'sent', owner, receiver: owner, amount }, BigInt(12 + nth))
    })
    playChain(app, { read: async () => readingOf(sent.slice(0, 1)) })
    await followDistributions(app.services)
    expect(await progressOf(id)).toMatchObject({ short: 1, arrived_amount: '1' })
    await close(app, id, { sendsNothingMore: true })
    expect(await progressOf(id)).toMatchObject({ short: 0, arrived_amount: '1' })
    const rest = await aDistribution(app, { tool: 'plain' })
    expect(rest.amount).toBe('1')

    // One that was withdrawn does not keep the rest of what a corrected list is sent either.
    await publish(app, rest.id, { contract: CONTRACT })
    await followDistributions(app.services)
    expect((await withdraw(app, rest.id)).status).toBe(200)
    await aSnapshot(app, [{ ...owned, tokens: 5n * ONE }])
    const corrected = await aDistribution(app, { tool: 'plain', snapshot: 2 })
    await publish(app, corrected.id, { contract: CONTRACT })
    playChain(app, { read: async () => readingOf(sent) })
    await followDistributions(app.services)
    expect(await progressOf(corrected.id)).toMatchObject({ delivered: 1, arrived_amount: '4' })
  })

  describe('whose closing was asked for', () => {
    let id: string
    let decide: () => Promise<string>
    beforeEach(async () => {
      await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
      id = (await aDistribution(app, { tool: 'plain' })).id
      await publish(app, id, { contract: CONTRACT })
      playChain(app)
      await followDistributions(app.services)
      const [ann, ben] = [
        await anOperatorPerson(app, 'owner'),
        await anOperatorPerson(app, 'owner'),
      ]
      const asked = waitOf(await close(app, id, { sendsNothingMore: true }, ann.as))
      const input = { params: { id: asked.id }, headers: {}, body: { hash: asked.hash } }
      decide = async () =>
        (await app.client.call(approvalsContract.approveAct, input, ben.as)).body.state
    })
    const away = async (): Promise<never> => {
      throw new Unavailable('The node does not answer')
    }
    const stateOfLast = async () => {
      const { body } = await app.client.call(
        approvalsContract.listApprovals,
        { query: {} },
        operator,
      )
      return body.data[0]
    }

    test('is closed later, where no node answers at the moment of the approval', async () => {
      playChain(app, { read: away })
      expect(await decide()).toBe('approved')
      expect(await stateOf(id)).toBe('published')
      playChain(app)
      await app.passTime(60_000)
      await carryOutApproved(app.services)
      expect(await stateOf(id)).toBe('closed')
      expect(await stateOfLast()).toMatchObject({ state: 'done' })
    })

    test('is not closed, where no node answers for an hour, and the approval says why', async () => {
      playChain(app, { read: away })
      await decide()
      await app.passTime(59 * 60_000)
      await carryOutApproved(app.services)
      expect(await stateOfLast()).toMatchObject({ state: 'approved' })
      await app.passTime(60_000)
      await carryOutApproved(app.services)
      expect(await stateOf(id)).toBe('published')
      expect(await stateOfLast()).toMatchObject({
        state: 'failed',
        reason:
          'The server could not do this for an hour (The node does not answer). Ask for it again',
      })
    })

    test('is closed by one, though a worker finds it while it is being closed', async () => {
      let readings = 0
      const read = async () => {
        readings += 1
        if (readings === 1) await carryOutApproved(app.services)
        return readingOf([])
      }
      playChain(app, { read })
      expect(await decide()).toBe('done')
      expect(readings).toBe(1)
      expect(app.complaints).toEqual([])
    })
  })

  test('that pays what a correction has taken says so, and nobody is urged to send that', async () => {
    const [ann, ben, eve] = await aSnapshot(app, [
      { tokens: 3000n * ONE, wallet: walletOf(1) },
      { tokens: ONE, wallet: walletOf(2) },
      { tokens: ONE, wallet: walletOf(3) },
    ])
    const { id } = await aDistribution(app, { tool: 'plain' })
    await publish(app, id, { contract: CONTRACT })
    const notes = async () => {
      const query = { kind: 'delivery' as const }
      const { body } = await app.client.call(consoleContract.listInbox, { query }, operator)
      return body.data.map(({ detail }) => detail)
    }
    expect(await notes()).toEqual([])

    // Ann's payment was reorganised away, and two people have changed Ben's wallet.
    await aSnapshot(app, [
      { userId: ben?.userId ?? '', tokens: ONE, wallet: walletOf(4) },
      { userId: eve?.userId ?? '', tokens: ONE, wallet: walletOf(3) },
    ])
    const stop =
      'Of 2 of 3 wallets of distribution 1 the owners have less by the newest snapshot, or ' +
      'another wallet: stop what still goes there'
    expect(await notes()).toEqual([stop])
    app.clock.pass(24 * 60 * 60_000)
    expect(await notes()).toEqual([
      `${stop}. 1 of 3 wallets of distribution 1 have not received their tokens`,
    ])
    expect(await progressOf(id)).toMatchObject({ outdated: 2, claimed: 0 })

    const owner = walletOf(3).toLowerCase()
    const sent = seenAt({ kind: 'sent', owner, receiver: owner, amount: ONE }, 12n)
    playChain(app, { read: async () => readingOf([sent]) })
    await followDistributions(app.services)
    expect(await notes()).toEqual([stop])
    await close(app, id, { sendsNothingMore: true })
    expect(await notes()).toEqual([])
    expect(await progressOf(id)).toMatchObject({ outdated: 0, delivered: 1 })
    const next = await aDistribution(app, { tool: 'plain', snapshot: 2 })
    expect(next, `without ${ann?.wallet}`).toMatchObject({ rows: 1, amount: '1' })
  })

  test('that gives less than is owned still, as only a part is released, is not out of date', async () => {
    const [ann] = await aSnapshot(app, [{ tokens: 3000n * ONE, wallet: walletOf(1) }])
    const { id } = await aDistribution(app, { tool: 'uniswap', through: 0 })
    await publish(app, id, { contract: CONTRACT })
    // Nothing is paid by a list that is not published.
    await aDistribution(app, { tool: 'uniswap' })
    const owner = { userId: ann?.userId ?? '', wallet: walletOf(1) }
    await aSnapshot(app, [{ ...owner, tokens: 2000n * ONE }])
    expect(await progressOf(id)).toMatchObject({ outdated: 0 })
    await aSnapshot(app, [{ ...owner, tokens: ONE }])
    expect(await progressOf(id)).toMatchObject({ outdated: 1 })
    await createDeliveryMails()(app.services)
    const mails = app.open.database.selectFrom('outbox_mails').select('kind')
    expect(await mails.where('kind', '=', 'delivery_claimable').execute()).toEqual([])
  })

  test('is not closed while tokens have left its contract for nobody knows whom', async () => {
    await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    const { id } = await aDistribution(app, { tool: 'uniswap' })
    await publish(app, id, { contract: CONTRACT })
    const gone = [seenAt({ kind: 'swept', amount: 1n }, 14n), seenAt({ kind: 'unknown' }, 15n)]
    playChain(app, { read: async () => readingOf(gone) })
    await followDistributions(app.services)
    expect(await stateOf(id)).toBe('published')
    expect((await close(app, id)).refusal.message).toContain('nobody knows who got them')
  })

  test('is not closed by hand where no node can be asked, or it was never published', async () => {
    await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    const { id } = await aDistribution(app, { tool: 'plain' })
    expect((await close(app, id)).refusal.message).toContain('Withdraw it instead')
    await publish(app, id, { contract: CONTRACT })
    const { refusal } = await close(app, id, { sendsNothingMore: true })
    expect(refusal.message).toContain('EVM_RPC_URL_56')
  })
})
