import { getAddress } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { randomBytes, randomUUID } from 'node:crypto'
import { consoleContract } from '#contract/operator/console.ts'
import { distributionsContract } from '#contract/operator/distributions.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { progressOf } from '#server/database/delivery/distribution-progress.ts'
import { createDeliveryMails } from '#server/use-cases/deliveries/delivery-mails.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import {
  aDistribution,
  aSnapshot,
  DELIVERED_AFTER,
  type Owner,
  publish,
  readAndSee,
  startDeliveryApp,
} from '#tests/kit/delivery/a-delivery.ts'
import {
  close,
  publish as publishCall,
  tryToMake,
  withdraw,
} from '#tests/kit/delivery/distribution-calls.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { operator } from '#tests/kit/builders/an-operator.ts'
import { type Anvil, startAnvil, transferCall } from '#tests/kit/servers/anvil.ts'
import {
  BATCH_SENDER_BYTECODE,
  FEE_TOKEN_BYTECODE,
  INDEXED_DISTRIBUTOR_BYTECODE,
  INSTANT_CAMPAIGN_BYTECODE,
  TREE_CLAIMER_BYTECODE,
} from '#tests/kit/contracts/bytecode.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

const TOKEN = 10n ** 18n
const aWallet = () => getAddress(`0x${randomBytes(20).toString('hex')}`)
const word = (hex: string) => hex.replace(/^0x/, '').toLowerCase().padStart(64, '0')

describe('deliveries on an EVM chain', () => {
  let anvil: Anvil
  let token: string
  let app: TestApp
  let ada: RegisteredUser
  let ben: RegisteredUser

  beforeAll(async () => {
    anvil = await startAnvil(31_337)
    token = getAddress(await anvil.deployToken({ decimals: 18 }))
  })
  afterAll(() => anvil.stop())
  afterEach(async () => {
    expect(app.complaints).toEqual([])
    await app.close()
  })

  /** A server whose buyers Ada and Ben own tokens, each with a wallet. */
  async function withOwners(changes: { nodes?: string; token?: string } = {}) {
    app = await startDeliveryApp({ anvil, token, ...changes })
    ada = await aUser(app)
    ben = await aUser(app, { first_name: 'Ben' })
    return [
      { user: ada, tokens: 100n * TOKEN, address: aWallet() },
      { user: ben, tokens: 250n * TOKEN, address: aWallet() },
    ] as const
  }

  const mailsTo = ({ email }: RegisteredUser) => app.mailbox.taken.filter(({ to }) => to === email)

  const claimPage = { claim_url: 'https://claim.example/it' }

  /** A contract that has the tokens of a distribution and its root. */
  async function aContract(bytecode: string, root: string, amount: bigint, of = token) {
    const contract = getAddress(await anvil.deploy(bytecode, word(of) + word(root)))
    await anvil.transferToken(of, contract, amount)
    await anvil.mine()
    return contract
  }

  async function aPublished(
    tool: 'uniswap' | 'openzeppelin' | 'sablier_instant',
    owners: readonly Owner[],
    more: { expires_date?: string } = {},
  ) {
    const made = await aDistribution(app, tool, await aSnapshot(app, owners))
    const bytecode = {
      uniswap: INDEXED_DISTRIBUTOR_BYTECODE,
      openzeppelin: TREE_CLAIMER_BYTECODE,
      sablier_instant: INSTANT_CAMPAIGN_BYTECODE,
    }[tool]
    const contract = await aContract(bytecode, made.root ?? '', BigInt(made.amount_base_units))
    await publish(app, made.id, { contract, ...claimPage, ...more })
    return { id: made.id, contract }
  }

  async function claimed(user: RegisteredUser, contract: string): Promise<string> {
    return await claimAs(contract, (await readAndSee(app, user)).deliveries)
  }

  async function claimAs(
    contract: string,
    deliveries: Awaited<ReturnType<typeof readAndSee>>['deliveries'],
  ): Promise<string> {
    const claim = deliveries[0]?.claim
    if (!claim) throw new Error('There is nothing to claim.')
    const { index, account, amount, proof } = claim
    return await anvil.callAs(
      'function claim(uint256 index, address account, uint256 amount, bytes32[] proof)',
      contract,
      [BigInt(index), account, BigInt(amount), proof],
    )
  }

  /** What Hedgey's contract says of a campaign of which one unit is left. */
  const campaignOf = (of: string, root: string) => [
    '0x1',
    of,
    '0x1',
    '0x0',
    '0x1',
    '0x0',
    root,
    '0x0',
  ]

  /** A contract that answers every call with the same eight words. */
  async function aContractThatAnswers(words: readonly string[]) {
    // Copies what stands behind its 14 bytes into memory, and returns it; so does what makes it.
    const program = (length: string) => `61${length}600e60003961${length}6000f3`
    const bytecode = program('010e') + program('0100') + words.map(word).join('')
    return getAddress(await anvil.deploy(bytecode))
  }

  /** A contract that sends like a Safe, and has the tokens. */
  async function aSender() {
    const sender = getAddress(await anvil.deploy(BATCH_SENDER_BYTECODE))
    await anvil.transferToken(token, sender, 2_000n * TOKEN)
    await anvil.mine()
    return sender
  }

  /** Sends in one transaction, as a Safe does. */
  const sendAll = (sender: string, to: readonly string[], amounts: readonly bigint[]) =>
    anvil.callAs('function sendAll(address token, address[] to, uint256[] amounts)', sender, [
      token,
      to,
      amounts,
    ])

  const stateOf = async (id: string) => {
    const call = distributionsContract.getDistribution
    return (await app.client.call(call, { params: { id } }, operator)).body.state
  }

  it('are claimed by index from a contract like Uniswap’s, confirmed block by block, and mailed', async () => {
    const owners = await withOwners()
    const { contract } = await aPublished('uniswap', owners)
    await createDeliveryMails()(app.services)
    await sendMails(app.services)
    expect(mailsTo(ada).at(-1)?.subject).toBe('You can claim 100 HUH')
    const before = await readAndSee(app, ada)
    expect(before.waiting).toBeNull()
    expect(before.deliveries).toMatchObject([
      { state: 'published', tokens: '100', wallet: owners[0].address, claim: { contract } },
    ])
    const hash = await claimed(ada, contract)
    await anvil.mine()
    expect((await readAndSee(app, ada)).deliveries).toMatchObject([
      {
        state: 'claimed',
        claim: null,
        transfers: [{ transaction_hash: hash, confirmations: 1, required_confirmations: 3 }],
      },
    ])
    await anvil.mine(DELIVERED_AFTER - 1)
    expect((await readAndSee(app, ada)).deliveries).toMatchObject([
      { state: 'delivered', wallet_arrived: '100', transfers: [{ confirmations: 3 }] },
    ])
    expect((await readAndSee(app, ben)).deliveries).toMatchObject([{ state: 'published' }])
    await sendMails(app.services)
    expect(mailsTo(ada).at(-1)?.subject).toBe('100 HUH have arrived')
    // Once for good: reading on writes no second mail.
    await anvil.mine(5)
    const count = mailsTo(ada).length
    await readAndSee(app, ada)
    await createDeliveryMails()(app.services)
    await sendMails(app.services)
    expect(mailsTo(ada)).toHaveLength(count)
  })

  it('are claimed with proofs of an OpenZeppelin tree', async () => {
    const owners = await withOwners()
    const { id, contract } = await aPublished('openzeppelin', owners)
    const { deliveries } = await readAndSee(app, ben)
    const claim = deliveries[0]?.claim
    await anvil.callAs(
      'function claim(address account, uint256 amount, bytes32[] proof)',
      contract,
      [owners[1].address, 250n * TOKEN, claim?.proof],
    )
    await anvil.mine(DELIVERED_AFTER)
    expect((await readAndSee(app, ben)).deliveries).toMatchObject([{ state: 'delivered' }])
    expect(await progressOf(app.services.database, BigInt(id))).toMatchObject({
      rows: 2,
      claimed: 1,
      delivered: 1,
      amountArrived: 250n * TOKEN,
    })
  })

  it('are taken back with a reorganisation, also one that is deeper than all confirmations', async () => {
    const owners = await withOwners()
    const { contract } = await aPublished('uniswap', owners)
    await readAndSee(app, ada)
    await anvil.mine(DELIVERED_AFTER)
    const shallow = await anvil.rpc<string>('evm_snapshot')
    await claimed(ada, contract)
    await anvil.mine()
    expect((await readAndSee(app, ada)).deliveries).toMatchObject([{ state: 'claimed' }])
    await anvil.rpc('evm_revert', [shallow])
    await anvil.rpc('evm_increaseTime', [7])
    await anvil.mine(2)
    const after = await readAndSee(app, ada)
    expect(after.deliveries).toMatchObject([{ state: 'published', transfers: [] }])
    expect(after.deliveries[0]?.claim).not.toBeNull()

    const deep = await anvil.rpc<string>('evm_snapshot')
    await claimed(ada, contract)
    await anvil.mine(DELIVERED_AFTER + 3)
    expect((await readAndSee(app, ada)).deliveries).toMatchObject([{ state: 'delivered' }])
    await anvil.rpc('evm_revert', [deep])
    await anvil.rpc('evm_increaseTime', [11])
    await anvil.mine(DELIVERED_AFTER + 9)
    expect((await readAndSee(app, ada)).deliveries).toMatchObject([
      { state: 'published', transfers: [] },
    ])
    await claimed(ada, contract)
    await anvil.mine(DELIVERED_AFTER)
    expect((await readAndSee(app, ada)).deliveries).toMatchObject([{ state: 'delivered' }])
  })

  it('of one batch are found by wallet and amount; equal ones of two lists belong to the earlier first', async () => {
    const owners = await withOwners()
    const sender = await aSender()
    const first = await aDistribution(app, 'safe_transactions', await aSnapshot(app, owners))
    await publish(app, first.id, { contract: sender })
    const twice = owners.map((owner) => ({ ...owner, tokens: owner.tokens * 2n }))
    const second = await aDistribution(app, 'plain', await aSnapshot(app, twice))
    await publish(app, second.id, { contract: sender })
    const addresses = owners.map(({ address }) => address)
    await sendAll(sender, addresses, [100n * TOKEN, 249n * TOKEN])
    await anvil.mine(DELIVERED_AFTER)
    const statesOf = async (user: RegisteredUser) =>
      (await readAndSee(app, user)).deliveries.map(({ distribution_id: id, state }) => [id, state])
    expect(await statesOf(ada)).toEqual([
      [second.id, 'published'],
      [first.id, 'delivered'],
    ])
    // Less than is theirs came, which is seen and never counted as the whole.
    expect((await readAndSee(app, ben)).deliveries.at(-1)).toMatchObject({
      state: 'claimed',
      wallet_amount: '250',
      wallet_arrived: '249',
    })
    await app.services.database
      .updateTable('distributions')
      .set({ published_at: new Date(app.clock.now().getTime() - 25 * 60 * 60_000) })
      .execute()
    const { body } = await app.client.call(consoleContract.listInbox, { query: {} }, operator)
    expect(body.data.filter(({ kind }) => kind === 'delivery')).toMatchObject([
      { detail: expect.stringContaining('1 of them were sent less') },
      { detail: expect.stringContaining(`2 of 2 wallets of distribution ${second.id}`) },
    ])
    await sendAll(sender, addresses, [100n * TOKEN, TOKEN])
    await anvil.mine(DELIVERED_AFTER)
    expect(await statesOf(ada)).toEqual([
      [second.id, 'delivered'],
      [first.id, 'delivered'],
    ])
    expect((await statesOf(ben)).at(-1)).toEqual([first.id, 'delivered'])
    // What came in parts has come: the next whole amount is of the next list.
    await sendAll(sender, addresses.slice(1), [250n * TOKEN])
    await anvil.mine(DELIVERED_AFTER)
    expect(await statesOf(ben)).toEqual([
      [second.id, 'delivered'],
      [first.id, 'delivered'],
    ])
  })

  it('of two lists that one transaction sends are found again where a reorganisation moves their logs', async () => {
    const [adas, bens] = await withOwners()
    const sender = await aSender()
    // The second list is only Ben's, who had no wallet before.
    const lists = [
      [adas, { ...bens, address: null }],
      [adas, bens],
    ]
    for (const owners of lists) {
      const made = await aDistribution(app, 'plain', await aSnapshot(app, owners))
      await publish(app, made.id, { contract: sender })
    }
    const stateOf = async (user: RegisteredUser) =>
      (await readAndSee(app, user)).deliveries.map(({ state }) => state)
    await readAndSee(app, ada)
    const before = await anvil.rpc<string>('evm_snapshot')
    const hash = await sendAll(sender, [adas.address, bens.address], [adas.tokens, bens.tokens])
    await anvil.mine()
    expect(await stateOf(ada)).toEqual(['claimed'])
    const raw = await anvil.rpc('eth_getRawTransactionByHash', [hash])
    await anvil.rpc('evm_revert', [before])
    const [, stranger = ''] = await anvil.rpc<string[]>('eth_accounts')
    await anvil.send({ from: stranger, to: token, data: transferCall(token, 0n) })
    expect(await anvil.rpc('eth_sendRawTransaction', [raw])).toBe(hash)
    await anvil.mine(DELIVERED_AFTER + 1)
    await readAndSee(app, ada)
    expect(await stateOf(ada)).toEqual(['delivered'])
    expect(await stateOf(ben)).toEqual(['delivered'])
  })

  it('of a list that was closed stay its own when a reorganisation moves them into another block', async () => {
    const [adas] = await withOwners()
    const sender = await aSender()
    const lists: string[] = []
    let snapshot = 0
    for (const tokens of [adas.tokens, 2n * adas.tokens]) {
      snapshot = await aSnapshot(app, [{ ...adas, tokens }])
      const { id } = await aDistribution(app, 'plain', snapshot)
      await publish(app, id, { contract: sender })
      lists.unshift(id)
    }
    await readAndSee(app, ada)
    const before = await anvil.rpc<string>('evm_snapshot')
    const hash = await sendAll(sender, [adas.address], [adas.tokens])
    await anvil.mine()
    const shown = async () =>
      (await readAndSee(app, ada)).deliveries.map(({ distribution_id: id, state }) => [id, state])
    const [open, closed] = lists
    const states = [
      [open, 'published'],
      [closed, 'claimed'],
    ]
    expect(await shown()).toEqual(states)
    await close(app, closed ?? '', { sendsNothingMore: true })
    const raw = await anvil.rpc('eth_getRawTransactionByHash', [hash])
    await anvil.rpc('evm_revert', [before])
    await anvil.mine(2)
    expect(await anvil.rpc('eth_sendRawTransaction', [raw])).toBe(hash)
    await anvil.mine()
    expect(await shown()).toEqual(states)
    // Otherwise its tokens are due again, although they have arrived.
    expect(await dueNow(snapshot)).toBeNull()
    expect(await lateOnes()).toEqual([])
  })

  it('of the rest of a row are its own, though a later list had as much for the wallet', async () => {
    const [adas] = await withOwners()
    const sender = await aSender()
    for (const tokens of [100n, 160n]) {
      const snapshot = await aSnapshot(app, [{ ...adas, tokens: tokens * TOKEN }])
      await publish(app, (await aDistribution(app, 'plain', snapshot)).id, { contract: sender })
    }
    const to = [adas.address, adas.address, adas.address]
    await sendAll(sender, to, [40n * TOKEN, 60n * TOKEN, 60n * TOKEN])
    await anvil.mine(DELIVERED_AFTER)
    const delivered = ['60', '100'].map((tokens) => ({ state: 'delivered', tokens }))
    expect(await readAndSee(app, ada)).toMatchObject({ waiting: null, deliveries: delivered })
    expect(await lateOnes()).toEqual([])
  })

  it('may go to another address, and what nobody claimed may be taken back', async () => {
    const owners = await withOwners()
    const { id, contract } = await aPublished('sablier_instant', owners)
    const elsewhere = aWallet()
    const { deliveries } = await readAndSee(app, ada)
    expect(deliveries).toMatchObject([{ state: 'published', claim: null }])
    const addresses = owners.map(({ address }) => address).toSorted()
    await anvil.callAs(
      'function claimTo(uint256 index, address recipient, address to, uint128 amount)',
      contract,
      [BigInt(addresses.indexOf(owners[0].address)), owners[0].address, elsewhere, 100n * TOKEN],
    )
    await anvil.mine()
    expect((await readAndSee(app, ada)).deliveries).toMatchObject([
      { state: 'claimed', transfers: [{ receiver: elsewhere.toLowerCase() }] },
    ])
    const clawBack = async (amount: bigint) => {
      const call = 'function clawback(address to, uint128 amount)'
      await anvil.callAs(call, contract, [aWallet(), amount])
      await anvil.mine(DELIVERED_AFTER)
    }
    // A surplus was of nobody: whoever has not claimed still can.
    await anvil.transferToken(token, contract, 50n * TOKEN)
    await clawBack(50n * TOKEN)
    expect((await readAndSee(app, ben)).deliveries).toMatchObject([{ state: 'published' }])
    expect(await progressOf(app.services.database, BigInt(id))).toMatchObject({ swept: 0 })
    await createDeliveryMails()(app.services)
    await sendMails(app.services)
    expect(mailsTo(ben).at(-1)?.subject).toBe('You can claim 250 HUH')
    await clawBack(TOKEN)
    expect(await readAndSee(app, ben)).toMatchObject({
      waiting: null,
      deliveries: [{ state: 'swept' }],
    })
    expect(await progressOf(app.services.database, BigInt(id))).toMatchObject({ swept: 1 })
    await clawBack(249n * TOKEN)
    // What was taken back is due again: it waits, and the list that has ended shows it no more.
    expect(await readAndSee(app, ben)).toMatchObject({ waiting: { tokens: '250' }, deliveries: [] })
    expect(await stateOf(id)).toBe('closed')
    expect((await readAndSee(app, ada)).deliveries).toMatchObject([{ state: 'delivered' }])
  })

  it('of a token that keeps a fee arrive as less, which is said', async () => {
    const feeToken = getAddress(await anvil.deploy(FEE_TOKEN_BYTECODE))
    const owners = await withOwners({ token: feeToken })
    const made = await aDistribution(app, 'uniswap', await aSnapshot(app, owners))
    const contract = await aContract(
      INDEXED_DISTRIBUTOR_BYTECODE,
      made.root ?? '',
      1_000n * TOKEN,
      feeToken,
    )
    await publish(app, made.id, { contract })
    await claimed(ada, contract)
    await anvil.mine(DELIVERED_AFTER)
    expect((await readAndSee(app, ada)).deliveries).toMatchObject([
      { state: 'delivered', wallet_amount: '100', wallet_arrived: '99' },
    ])
  })

  it('of two accounts with one wallet arrive for both', async () => {
    const [first, second] = await withOwners()
    const shared = { address: first.address, chain_id: 31_337n, proof: 'signature' as const }
    const signed = { message: 'A message', signature: '0x00', set_at: new Date(0) }
    for (const { user } of [first, second]) {
      await app.open.database
        .insertInto('receiving_wallets')
        .values({
          ...shared,
          ...signed,
          id: randomUUID(),
          user_id: user.user.id,
          effective_at: new Date(0),
        })
        .execute()
    }
    const { contract } = await aPublished('uniswap', [first, { ...second, address: first.address }])
    await claimed(ben, contract)
    await anvil.mine(DELIVERED_AFTER)
    for (const [user, tokens] of [
      [ada, '100'],
      [ben, '250'],
    ] as const) {
      expect((await readAndSee(app, user)).deliveries).toMatchObject([
        { state: 'delivered', tokens, wallet_amount: '350', wallet_arrived: '350' },
      ])
    }
  })

  /** What is due by now, by wallet; null if that is nothing. */
  async function dueNow(snapshot: number) {
    const reply = await tryToMake(app, { tool: 'plain', snapshot })
    if (reply.status !== 201) return null
    const { body } = reply
    await withdraw(app, body.id)
    return { rows: body.rows, amount: body.amount }
  }

  const lateOnes = async () => {
    const query = { kind: 'late_delivery' as const }
    return (await app.client.call(consoleContract.listInbox, { query }, operator)).body.data
  }

  it('sent before the list was published are seen, whichever block the operator names', async () => {
    const owners = await withOwners()
    const sender = await aSender()
    const { id } = await aDistribution(app, 'plain', await aSnapshot(app, owners))
    const tokens = owners.map((owner) => owner.tokens)
    await sendAll(
      sender,
      owners.map(({ address }) => address),
      tokens,
    )
    await anvil.mine(DELIVERED_AFTER)
    const from_block = String(await anvil.height())
    expect((await publishCall(app, id, { contract: sender, from_block })).status).toBe(200)
    expect((await readAndSee(app, ada)).deliveries).toMatchObject([{ state: 'delivered' }])
  })

  it('are not withdrawn once somebody has claimed, also in a block that nobody has read yet', async () => {
    const owners = await withOwners()
    const made = await aDistribution(app, 'uniswap', await aSnapshot(app, owners))
    // As much as one of them claims, so that the contract is empty afterwards.
    const contract = await aContract(INDEXED_DISTRIBUTOR_BYTECODE, made.root ?? '', 100n * TOKEN)
    await publish(app, made.id, { contract, is_handed_out: true })
    await anvil.mine(DELIVERED_AFTER)
    const { deliveries } = await readAndSee(app, ada)
    expect((await withdraw(app, made.id)).refusal.message).toContain('still holds tokens')
    await claimAs(contract, deliveries)
    await anvil.mine()
    expect((await withdraw(app, made.id)).refusal.message).toContain('just left the contract')
    await anvil.mine(DELIVERED_AFTER)
    expect((await withdraw(app, made.id)).refusal.message).toContain('reached their owners')
  })

  it('are not withdrawn while a wallet has sent some in a block that nobody has read yet', async () => {
    const owners = await withOwners()
    const sender = await aSender()
    const made = await aDistribution(app, 'safe_transactions', await aSnapshot(app, owners))
    await publish(app, made.id, { contract: sender })
    await anvil.mine(DELIVERED_AFTER)
    await readAndSee(app, ada)
    await sendAll(sender, [owners[0].address], [100n * TOKEN])
    await anvil.mine()
    expect((await withdraw(app, made.id)).refusal.message).toContain('reached their owners')
  })

  it('of a wallet that sends nothing more are closed by hand; what comes all the same is in the inbox', async () => {
    const owners = await withOwners()
    const snapshot = await aSnapshot(app, owners)
    const sender = await aSender()
    const made = await aDistribution(app, 'safe_transactions', snapshot)
    await publish(app, made.id, { contract: sender })
    await sendAll(
      sender,
      owners.map(({ address }) => address),
      [100n * TOKEN, 249n * TOKEN],
    )
    await anvil.mine(DELIVERED_AFTER)
    await readAndSee(app, ada)
    const refused = await close(app, made.id)
    expect(refused.refusal.errors).toMatchObject([{ path: 'sends_nothing_more' }])
    const closed = await close(app, made.id, { sendsNothingMore: true })
    expect(closed.body).toMatchObject({ state: 'closed', reason: 'Nothing more comes of it' })
    expect(await readAndSee(app, ada)).toMatchObject({
      waiting: null,
      deliveries: [{ state: 'delivered' }],
    })
    // What has arrived of the closed list is his for good, and the rest comes by another one.
    expect(await readAndSee(app, ben)).toMatchObject({
      waiting: { tokens: '1' },
      deliveries: [{ state: 'delivered', tokens: '249', wallet_amount: '249' }],
    })
    expect(await dueNow(snapshot)).toEqual({ rows: 1, amount: '1' })
    const rest = await aDistribution(app, 'plain', snapshot)
    expect(rest).toMatchObject({ rows: 1, amount: '1' })
    expect(await lateOnes()).toEqual([])

    // Somebody signs the old list after all.
    await sendAll(sender, [owners[1].address], [250n * TOKEN])
    await anvil.mine(DELIVERED_AFTER)
    await readAndSee(app, ben)
    const [late] = await lateOnes()
    expect(late).toMatchObject({
      title: `Tokens of distribution ${made.id} arrived after it had ended`,
      detail: expect.stringContaining('1, 1 of them in another list of the same tokens'),
    })
    await withdraw(app, rest.id)
    expect(await dueNow(snapshot)).toBeNull()
    const put = { kind: 'late_delivery' as const, id: late?.id ?? '', reason: 'It was not sent' }
    await app.client.call(consoleContract.closeInboxItem, { body: put }, operator)
    expect(await lateOnes()).toEqual([])
  })

  it('of a claim contract that has nothing left are closed by hand, once that is for good', async () => {
    const owners = await withOwners()
    const snapshot = await aSnapshot(app, owners)
    const made = await aDistribution(app, 'openzeppelin', snapshot)
    const contract = await aContract(TREE_CLAIMER_BYTECODE, made.root ?? '', 250n * TOKEN)
    await publish(app, made.id, { contract, is_handed_out: true })
    await anvil.mine(DELIVERED_AFTER)
    const { deliveries } = await readAndSee(app, ben)
    expect((await close(app, made.id)).refusal.message).toContain('still holds tokens')
    await anvil.callAs(
      'function claim(address account, uint256 amount, bytes32[] proof)',
      contract,
      [owners[1].address, 250n * TOKEN, deliveries[0]?.claim?.proof],
    )
    await anvil.mine()
    expect((await close(app, made.id)).refusal.message).toContain('just left the contract')
    await anvil.mine(DELIVERED_AFTER)
    expect((await close(app, made.id)).body.state).toBe('closed')
    expect(await readAndSee(app, ada)).toMatchObject({
      waiting: { state: 'assigned', tokens: '100' },
      deliveries: [],
    })
    expect(await dueNow(snapshot)).toEqual({ rows: 1, amount: '100' })
  })

  it('at Hedgey’s contract are those of one campaign, whose root, token and rest are read', async () => {
    const owners = await withOwners()
    const made = await aDistribution(app, 'hedgey', await aSnapshot(app, owners))
    const campaign = `0x${'1d'.repeat(16)}`
    const tryAt = (contract: string) =>
      publishCall(app, made.id, {
        contract,
        campaign,
        from_block: '0',
        is_handed_out: true,
        ...claimPage,
      })
    const root = made.root ?? ''
    const nothing = await aContractThatAnswers(Array.from({ length: 8 }, () => '0x0'))
    expect((await tryAt(nothing)).refusal.message).toContain('has no campaign')
    const changed = await aContractThatAnswers(campaignOf(token, `0x${'ab'.repeat(32)}`))
    expect((await tryAt(changed)).refusal.message).toContain('has the root 0xabab')
    const another = await aContractThatAnswers(campaignOf(aWallet(), root))
    expect((await tryAt(another)).refusal.message).toContain('hands out another token')
    const right = await aContractThatAnswers(campaignOf(token, root))
    expect((await tryAt(right)).body).toMatchObject({ state: 'published', campaign })
    await anvil.mine(DELIVERED_AFTER)
    await readAndSee(app, ada)
    // It has none of the token itself: what counts is what is left of the campaign.
    expect((await close(app, made.id)).refusal.message).toContain('still holds tokens')
  })

  it('that a reorganisation gives back after a new list was made are in the inbox', async () => {
    const owners = await withOwners()
    const snapshot = await aSnapshot(app, owners)
    const { id, contract } = await aPublished('uniswap', owners)
    await anvil.mine(DELIVERED_AFTER)
    const { deliveries } = await readAndSee(app, ben)
    const before = await anvil.rpc<string>('evm_snapshot')
    await anvil.callAs('function withdraw()', contract, [])
    await anvil.mine(DELIVERED_AFTER)
    expect(await readAndSee(app, ben)).toMatchObject({ waiting: { tokens: '250' } })
    expect(await stateOf(id)).toBe('closed')
    const again = await aDistribution(app, 'plain', snapshot + 1)
    expect(again.rows).toBe(2)
    await anvil.rpc('evm_revert', [before])
    await anvil.rpc('evm_increaseTime', [7])
    await claimAs(contract, deliveries)
    await anvil.mine(DELIVERED_AFTER + 3)
    await readAndSee(app, ben)
    expect(await lateOnes()).toMatchObject([
      { detail: expect.stringContaining('1, 1 of them in another list of the same tokens') },
    ])
  })

  it('are reminded of before they expire, once a week and once a day ahead', async () => {
    const owners = await withOwners()
    const day = 24 * 60 * 60_000
    const expires = new Date(app.clock.now().getTime() + 10 * day).toISOString()
    await aPublished('uniswap', owners, { expires_date: expires })
    const mail = createDeliveryMails()
    const subjects = async () => {
      await mail(app.services)
      await mail(app.services)
      await sendMails(app.services)
      return mailsTo(ada).map(({ subject }) => subject)
    }
    expect(await subjects()).toEqual(['You can claim 100 HUH'])
    await app.passTime(3.5 * day)
    expect(await subjects()).toEqual(['You can claim 100 HUH', 'Claim 100 HUH soon'])
    await app.passTime(6 * day)
    expect(await subjects()).toHaveLength(3)
    await app.passTime(day)
    expect(await subjects()).toHaveLength(3)
  })

  it('show as they were while no node answers, and the operator sees why', async () => {
    await withOwners()
    await app.close()
    const gone = await startAnvil(31_337)
    await gone.stop()
    const owners = await withOwners({ nodes: gone.url })
    const made = await aSnapshot(app, owners)
    await app.services.database
      .insertInto('distributions')
      .values({
        snapshot: made,
        tool: 'plain',
        chain_id: 31_337n,
        token,
        token_decimals: 18,
        row_count: 1,
        tokens: owners[0].tokens as never,
        amount: owners[0].tokens,
        dust_count: 0,
        dust_tokens: 0n as never,
        made_at: app.clock.now(),
        state: 'published',
        contract: aWallet(),
        from_height: 0n,
        published_at: app.clock.now(),
      })
      .execute()
    await readAndSee(app, ada)
    expect(app.complaints.splice(0)).toMatchObject([
      { message: 'The progress of a distribution could not be read' },
    ])
    const { body } = await app.client.call(operatorContract.getSaleState, {}, operator)
    expect(body.chains).toContainEqual(
      expect.objectContaining({
        name: 'delivery:eip155:31337',
        fault: expect.stringContaining('cannot be reached'),
      }),
    )
  })
})
