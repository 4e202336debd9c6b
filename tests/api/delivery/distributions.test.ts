import { createHash, randomUUID } from 'node:crypto'
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { encodePacked, keccak256 } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { hexOf } from '#domain/delivery/proof-receipt.ts'
import { proofNodes } from '#domain/delivery/tree-proof.ts'
import { deliveriesContract } from '#contract/delivery/deliveries.ts'
import { distributionsContract } from '#contract/operator/distributions.ts'
import { approvalsContract } from '#contract/operator/approvals.ts'
import { percentage } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { Unavailable } from '#domain/unavailable.ts'
import { listBrokenInvariants } from '#tests/kit/model/broken-invariants.ts'
import { findNodes } from '#server/database/delivery/tree-nodes.ts'
import { followDistributions } from '#server/use-cases/deliveries/follow-distributions.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { anOperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { aSnapshot, deliveredSale, walletOf } from '#tests/kit/delivery/a-snapshot.ts'
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

/** The base units of a token of the shipped sale. */
const ONE = 10n ** 18n

let app: TestApp
const start = async (changeSale: (sale: Sale) => Sale = deliveredSale()) => {
  app = await startApp({ changeSale })
}
beforeEach(() => start())
afterEach(() => app.close())

const another = async (changeSale: (sale: Sale) => Sale) => {
  await app.close()
  await start(changeSale)
}

const refusal = async (wanted: Parameters<typeof tryToMake>[1]) =>
  (await tryToMake(app, wanted)).refusal

describe('what is handed out', () => {
  test('is what is released, less what was handed out before', async () => {
    await aSnapshot(app, [{ tokens: 1_000n * ONE, wallet: walletOf(1) }])
    const first = await aDistribution(app, { tool: 'plain', through: 0 })
    expect(first).toMatchObject({ rows: 1, amount: '10', tokens: '10', through: 0, state: 'made' })
    const second = await aDistribution(app, { tool: 'plain', through: 2 })
    expect(second.amount).toBe('396')
    const rest = await aDistribution(app, { tool: 'plain' })
    expect(rest.amount).toBe('594')
    expect(await refusal({ tool: 'plain' })).toMatchObject({ reason: 'DistributionRefused' })
  })

  test('adds up to what is owned, to the last base unit', async () => {
    const tokens = [1n, 7n, 99n, 10n ** 31n + 1n, 333_333_333_333_333_333n]
    await aSnapshot(
      app,
      tokens.map((each, nth) => ({ tokens: each, wallet: walletOf(nth) })),
    )
    let sum = 0n
    for (const through of [0, 1, 2, 3, 4, 5]) {
      const made = await tryToMake(app, { tool: 'plain', through })
      if (made.status === 201) sum += BigInt(made.body.amount_base_units)
    }
    expect(sum).toBe(tokens.reduce((one, other) => one + other))
  })

  test('of what a correction adds to a stream comes in the months of the schedule', async () => {
    const [ann, bob] = await aSnapshot(app, [
      { tokens: 100n * ONE, wallet: walletOf(1) },
      { tokens: 50n * ONE, wallet: walletOf(2) },
    ])
    const stream = await aDistribution(app, { tool: 'sablier_tranched' })
    expect(stream).toMatchObject({ rows: 2, amount: '150' })
    expect(await refusal({ tool: 'plain', through: 1 })).toMatchObject({
      message: expect.stringContaining('Nobody with a wallet'),
    })
    await aSnapshot(app, [
      { userId: ann?.userId ?? '', tokens: 200n * ONE, wallet: walletOf(1) },
      { userId: bob?.userId ?? '', tokens: 50n * ONE, wallet: walletOf(2) },
    ])
    const amounts: string[] = []
    for (const through of [0, 1, 2, 3, 4, 5]) {
      const { amount } = await aDistribution(app, { tool: 'plain', through, snapshot: 2 })
      amounts.push(amount)
    }
    expect(amounts).toEqual(['1', '19.8', '19.8', '19.8', '19.8', '19.8'])
    expect((await refusal({ tool: 'plain', snapshot: 2 })).message).toContain('Nobody with')
    expect((await refusal({ tool: 'sablier_tranched', snapshot: 2 })).message).toContain(
      'A part was handed out',
    )
  })

  test('is never more than is owned, however many streams round what they release', async () => {
    const owners = await aSnapshot(app, [
      { tokens: 1n, wallet: walletOf(1) },
      { tokens: 1n, wallet: walletOf(2) },
    ])
    for (const snapshot of [1, 2, 3]) {
      await aDistribution(app, { tool: 'sablier_tranched', snapshot })
      const more = owners.map((owner) => ({ ...owner, tokens: BigInt(snapshot + 1) }))
      await aSnapshot(app, more)
    }
    let sum = 0n
    for (const through of [0, 1, 2, 3, 4, 5]) {
      const made = await tryToMake(app, { tool: 'plain', through, snapshot: 4 })
      if (made.status === 201) sum += BigInt(made.body.amount_base_units)
    }
    expect(sum).toBe(2n)
  })

  test('is due again once a distribution is withdrawn', async () => {
    await aSnapshot(app, [{ tokens: 5n * ONE, wallet: walletOf(1) }])
    const first = await aDistribution(app, { tool: 'plain' })
    expect((await withdraw(app, first.id)).body).toMatchObject({
      state: 'withdrawn',
      reason: 'The wrong tool',
    })
    const again = await aDistribution(app, { tool: 'uniswap' })
    expect(again.amount).toBe('5')
    expect((await withdraw(app, first.id)).refusal.reason).toBe('DistributionClosed')
    const [file] = first.files
    const reply = await download(app, first.id, file?.name ?? '')
    expect(reply.status).toBe(409)
  })

  test('reaches who set a wallet later, and what a correction added', async () => {
    const [ann, bob] = await aSnapshot(app, [
      { tokens: 10n * ONE, wallet: walletOf(1) },
      { tokens: 20n * ONE, wallet: null },
    ])
    const first = await aDistribution(app, { tool: 'plain' })
    expect(first).toMatchObject({ rows: 1, amount: '10' })
    await aSnapshot(app, [
      { userId: ann?.userId ?? '', tokens: 13n * ONE, wallet: walletOf(1) },
      { userId: bob?.userId ?? '', tokens: 20n * ONE, wallet: walletOf(2) },
    ])
    expect(await refusal({ tool: 'plain' })).toMatchObject({
      message: expect.stringContaining('The newest snapshot is 2'),
    })
    const second = await aDistribution(app, { tool: 'plain', snapshot: 2 })
    expect(second).toMatchObject({ rows: 2, amount: '23' })
  })

  test('is one row for two accounts with one wallet, and a part for each', async () => {
    await aSnapshot(app, [
      { tokens: 10n * ONE, wallet: walletOf(1) },
      { tokens: 3n * ONE, wallet: walletOf(1) },
      { tokens: 1n * ONE, wallet: walletOf(2) },
    ])
    const made = await aDistribution(app, { tool: 'plain' })
    const { text } = await download(app, made.id, `distribution-${made.id}.plain.csv`)
    expect(text).toBe(`address,amount\n${walletOf(1)},13\n${walletOf(2)},1\n`)
    const parts = await app.open.database.selectFrom('distribution_parts').selectAll().execute()
    expect(parts).toHaveLength(3)
  })

  test('is cut to the decimals of the contract, and what that leaves out is said', async () => {
    await another(deliveredSale({ decimals: 9 }))
    await aSnapshot(app, [
      { tokens: ONE + 5n, wallet: walletOf(1) },
      ...Array.from({ length: 10_000 }, (_, nth) => ({
        tokens: 999_999_999n,
        wallet: walletOf(nth + 2),
      })),
    ])
    const made = await aDistribution(app, { tool: 'plain' })
    expect(made).toMatchObject({
      rows: 1,
      tokens: '1',
      amount: '1',
      amount_base_units: '1000000000',
      left_out: { rows: 10_000, tokens: '0.000009999999990005' },
    })
    // It stays due, and there is nothing else by now.
    expect(await refusal({ tool: 'plain' })).toMatchObject({
      message: expect.stringContaining('rounds down to nothing in the 9 decimals'),
    })
  }, 60_000)
})

describe('of a contract with fewer decimals', () => {
  const tenths = (count: bigint) => (count * ONE) / 10n
  beforeEach(() => another(deliveredSale({ decimals: 0 })))

  /** What the books say of distributions: nobody has bought what these snapshots have. */
  const expectSums = async () => {
    const faults = await listBrokenInvariants(app.open.database)
    expect(faults.filter((fault) => !fault.endsWith('by the ledger'))).toEqual([])
  }

  test('adds up over all releases to what is owned', async () => {
    const ada = await aUser(app)
    await aSnapshot(app, [
      { userId: ada.user.id, tokens: 1_009n * ONE + 5n, wallet: walletOf(1) },
      { tokens: tenths(106n), wallet: walletOf(2) },
      { tokens: tenths(107n), wallet: walletOf(2) },
      { tokens: tenths(4n), wallet: walletOf(3) },
    ])
    let sum = 0n
    for (const through of [0, 1, 2, 3, 4, 5]) {
      const made = await aDistribution(app, { tool: 'plain', through })
      expect(made).toMatchObject({ tokens: made.amount })
      await publish(app, made.id, { contract: walletOf(99) })
      sum += BigInt(made.amount)
    }
    expect(sum).toBe(1_009n + 21n)
    expect((await refusal({ tool: 'plain' })).message).toContain('rounds down to nothing')
    // What the contract can never count is not shown as if it were still to come.
    const { body } = await app.client.call(deliveriesContract.listOwnDeliveries, {}, ada.as)
    expect(body).toMatchObject({ waiting: null, deliveries: { length: 6 } })
    await expectSums()
  })

  test('is never more than is owned, where accounts share a wallet, a list ends and others follow', async () => {
    const [ann, bob] = [await aUser(app), await aUser(app)]
    const owned = (anns: bigint, bobs: bigint) =>
      aSnapshot(app, [
        { userId: ann.user.id, tokens: tenths(anns), wallet: walletOf(1) },
        { userId: bob.user.id, tokens: tenths(bobs), wallet: walletOf(1) },
      ])
    const dueOf = async (snapshot: number) => {
      const made = await aDistribution(app, { tool: 'plain', snapshot })
      await expectSums()
      return made
    }
    // One of them may have too little for a part.
    await owned(19n, 1n)
    const tiny = await dueOf(1)
    expect(tiny).toMatchObject({ amount: '2', tokens: '2', left_out: { rows: 0, tokens: '0' } })
    await withdraw(app, tiny.id)
    await owned(16n, 3n)
    const first = await dueOf(2)
    expect(first).toMatchObject({ amount: '1', left_out: { rows: 0, tokens: '0.9' } })
    await owned(16n, 36n)
    const second = await dueOf(3)
    expect(second).toMatchObject({ amount: '4', left_out: { rows: 0, tokens: '0.2' } })
    await publish(app, second.id, { contract: walletOf(99) })

    // Of the second a half arrives, and the rest is due again.
    const owner = walletOf(1).toLowerCase()
    const sent = seenAt({ kind: 'sent', owner, receiver: owner, amount: 2n })
    playChain(app, { read: async () => readingOf([sent]), decimalsOf: async () => 0 })
    await followDistributions(app.services)
    expect((await close(app, second.id, { sendsNothingMore: true })).body.state).toBe('closed')
    expect((await dueOf(3)).amount).toBe('2')
    expect((await refusal({ tool: 'plain', snapshot: 3 })).message).toContain('rounds down')
    await owned(16n, 44n)
    expect((await dueOf(4)).amount).toBe('1')
    expect((await refusal({ tool: 'plain', snapshot: 4 })).message).toContain('Nobody with')
  })

  test('as streams leaves what they cannot count to a correction', async () => {
    const [ann, bob] = [await aUser(app), await aUser(app)]
    const owned = (anns: bigint) =>
      aSnapshot(app, [
        { userId: ann.user.id, tokens: tenths(anns), wallet: walletOf(1) },
        { userId: bob.user.id, tokens: tenths(507n), wallet: walletOf(2) },
      ])
    await owned(1_004n)
    const stream = await aDistribution(app, { tool: 'sablier_tranched' })
    expect(stream).toMatchObject({ amount: '150', left_out: { rows: 0, tokens: '1.1' } })
    expect((await refusal({ tool: 'plain' })).message).toContain('rounds down to nothing')
    await owned(1_010n)
    expect(await aDistribution(app, { tool: 'plain', snapshot: 2 })).toMatchObject({ amount: '1' })
    await expectSums()
  })
})

describe('is refused with a sentence', () => {
  test('before the books are frozen, and without a token or a section in the sale file', async () => {
    expect((await refusal({ tool: 'plain' })).message).toContain('Close the books first')
    await another((sale) => ({ ...deliveredSale()(sale), delivery: null }))
    expect((await refusal({ tool: 'plain' })).message).toContain('no delivery section')
    await another((sale) => {
      const delivered = deliveredSale()(sale)
      return { ...delivered, project: { ...delivered.project, contract: null } }
    })
    expect((await refusal({ tool: 'plain' })).message).toContain('names no contract')
  })

  test('if nobody has a wallet', async () => {
    await aSnapshot(app, [{ tokens: ONE, wallet: null }])
    expect((await refusal({ tool: 'plain' })).message).toContain('Nobody with a wallet')
  })

  test('if a tool cannot do it', async () => {
    await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    expect((await refusal({ tool: 'sablier_instant' })).message).toContain('at least 2 wallets')
    expect((await refusal({ tool: 'streamflow' })).message).toContain('Solana')
    const both = await refusal({ tool: 'sablier_tranched', through: 1 })
    expect(both.errors).toMatchObject([{ path: 'through' }])
  })

  test('beyond the last release', async () => {
    await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    expect((await refusal({ tool: 'plain', through: 9 })).errors).toEqual([
      {
        path: 'through',
        message: 'The last release is in month 5: give 5 or less, or leave this out for everything',
      },
    ])
    expect((await aDistribution(app, { tool: 'plain', through: 5 })).amount).toBe('1')
  })

  test('before the first release', async () => {
    const withCliff = (sale: Sale): Sale => {
      const delivered = deliveredSale()(sale)
      const tranches = [6, 7].map((months) => ({ months, percentage: percentage(500_000n) }))
      return {
        ...delivered,
        vesting: delivered.vesting && { ...delivered.vesting, shape: 'cliff', tranches },
      }
    }
    await another(withCliff)
    await aSnapshot(app, [{ tokens: 2n * ONE, wallet: walletOf(1) }])
    expect((await refusal({ tool: 'plain', through: 0 })).errors).toEqual([
      {
        path: 'through',
        message:
          'The first release is in month 6: give 6 or more, or leave this out for everything',
      },
    ])
    expect((await aDistribution(app, { tool: 'plain', through: 6 })).amount).toBe('1')
  })

  test('where amounts are more than the tool counts to', async () => {
    await another(deliveredSale({ decimals: 36 }))
    const owners = [1, 2].map((nth) => ({ tokens: 10n ** 31n, wallet: walletOf(nth) }))
    await aSnapshot(app, owners)
    expect((await refusal({ tool: 'sablier_instant' })).message).toContain('cannot count as far')
    expect((await aDistribution(app, { tool: 'uniswap' })).amount).toBe('20000000000000')
  })

  test('where one schedule cannot say what was promised', async () => {
    const twoSchedules = (sale: Sale): Sale => {
      const delivered = deliveredSale()(sale)
      const [first, ...others] = delivered.stages
      const other = others[0]
      if (first === undefined || other === undefined) throw new Error('Two stages are needed')
      const own = { shape: 'instant' as const, tranches: [{ months: 0, percentage: 1_000_000n }] }
      return { ...delivered, stages: [first, { ...other, vesting: own as never }] }
    }
    await another(twoSchedules)
    const stages = app.services.sale.stages
    await aSnapshot(app, [
      { tokens: ONE, wallet: walletOf(1), stageId: stages[0]?.id ?? '' },
      { tokens: ONE, wallet: walletOf(2), stageId: stages[1]?.id ?? '' },
    ])
    expect((await refusal({ tool: 'sablier_tranched' })).message).toContain('different schedules')
    expect((await aDistribution(app, { tool: 'plain', through: 0 })).amount).toBe('1.01')
    // A schedule that is told for what is left would begin anew.
    expect((await refusal({ tool: 'sablier_linear' })).message).toContain('A part was handed out')
  })
})

describe('files', () => {
  const owners = [
    { tokens: 10n ** 31n, wallet: walletOf(3) },
    { tokens: 1n, wallet: walletOf(1) },
    { tokens: 123_450n * 10n ** 13n, wallet: walletOf(2) },
  ]
  // Byte by byte, as JavaScript sorts them too.
  const inOrder = owners
    .map(({ wallet, tokens }) => [wallet, tokens] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  const shown: Record<string, string> = {
    [walletOf(1)]: '0.000000000000000001',
    [walletOf(2)]: '1.2345',
    [walletOf(3)]: '10000000000000',
  }

  test('have the hash that stands beside them, and their sums', async () => {
    await aSnapshot(app, owners)
    const made = await aDistribution(app, { tool: 'sablier_tranched' })
    expect(made.files.map(({ name }) => name)).toEqual([
      `distribution-${made.id}.sablier.csv`,
      `distribution-${made.id}.schedule.json`,
    ])
    for (const { name, sha256, bytes } of made.files) {
      const { status, headers, text } = await download(app, made.id, name)
      expect(status).toBe(200)
      expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`)
      expect(createHash('sha256').update(text).digest('hex')).toBe(sha256)
      expect(Buffer.byteLength(text)).toBe(bytes)
    }
    const manifest = JSON.parse((await download(app, made.id, made.manifest_file)).text) as object
    expect(manifest).toMatchObject({
      rows: 3,
      root: made.root,
      amount_base_units: String(10n ** 31n + 123_450n * 10n ** 13n + 1n),
      snapshot: 1,
      files: made.files.map(({ name, sha256 }) => ({ name, sha256 })),
    })
    expect((await download(app, made.id, 'another.csv')).status).toBe(404)
  })

  test('of Sablier lead to the root that is shown', async () => {
    await aSnapshot(app, owners)
    const made = await aDistribution(app, { tool: 'sablier_instant' })
    const { text } = await download(app, made.id, `distribution-${made.id}.sablier.csv`)
    expect(text).toBe(
      `address,amount\n${inOrder.map(([wallet]) => `${wallet},${shown[wallet]}\n`).join('')}`,
    )
    const theirs = StandardMerkleTree.of(
      inOrder.map(([address, amount], index) => [String(index), address, String(amount)]),
      ['uint', 'address', 'uint256'],
    )
    expect(made.root).toBe(theirs.root)
  })

  test('of OpenZeppelin are the dump of its tree, to the byte', async () => {
    await aSnapshot(app, owners)
    const made = await aDistribution(app, { tool: 'openzeppelin' })
    const { text } = await download(app, made.id, `distribution-${made.id}.tree.json`)
    const theirs = StandardMerkleTree.of(
      inOrder.map(([address, amount]) => [address, String(amount)]),
      ['address', 'uint256'],
    )
    expect(text).toBe(JSON.stringify(theirs.dump()))
    expect(made.root).toBe(theirs.root)
    const rows = await app.open.database.selectFrom('distribution_rows').selectAll().execute()
    for (const { place, tree_index: treeIndex } of rows) {
      const indexes = proofNodes('standard', rows.length, treeIndex ?? 0)
      const nodeAt = await findNodes(app.open.database, { distribution: BigInt(made.id) }, indexes)
      expect(indexes.map((index) => hexOf(nodeAt(index)))).toEqual(theirs.getProof(place))
    }
  })

  test('of Uniswap prove each wallet', async () => {
    await aSnapshot(app, owners)
    const made = await aDistribution(app, { tool: 'uniswap' })
    const { text } = await download(app, made.id, `distribution-${made.id}.uniswap.json`)
    const file = JSON.parse(text) as {
      merkleRoot: string
      tokenTotal: string
      claims: Record<string, { index: number; amount: string; proof: `0x${string}`[] }>
    }
    expect(file.merkleRoot).toBe(made.root)
    expect(BigInt(file.tokenTotal)).toBe(BigInt(made.amount_base_units))
    expect(Object.keys(file.claims)).toEqual(inOrder.map(([address]) => address))
    for (const [place, [address, amount]] of inOrder.entries()) {
      const claim = file.claims[address]
      if (claim === undefined) throw new Error(`${address} has no claim`)
      expect(claim.index).toBe(place)
      expect(BigInt(claim.amount)).toBe(amount)
      expect(claim.amount.length % 2).toBe(0)
      const packed = encodePacked(
        ['uint256', 'address', 'uint256'],
        [BigInt(place), address as `0x${string}`, amount],
      )
      const root = claim.proof.reduce((hash, sibling) => {
        const [first, second] = hash < sibling ? [hash, sibling] : [sibling, hash]
        return keccak256(`0x${first.slice(2)}${second.slice(2)}`)
      }, keccak256(packed))
      expect(root).toBe(made.root)
    }
  })

  test('of the Safe app have 500 rows, no line end after the last, and all of them everybody', async () => {
    await aSnapshot(
      app,
      Array.from({ length: 1_001 }, (_, nth) => ({ tokens: ONE, wallet: walletOf(nth) })),
    )
    const made = await aDistribution(app, { tool: 'safe_airdrop' })
    expect(made.root).toBeNull()
    expect(made.files.map(({ rows }) => rows)).toEqual([500, 500, 1])
    expect(made.files.map(({ amount }) => amount)).toEqual(['500', '500', '1'])
    const texts = []
    for (const { name } of made.files) texts.push((await download(app, made.id, name)).text)
    expect(made.files[0]?.name).toBe(`distribution-${made.id}.1-of-3.safe.csv`)
    for (const text of texts) {
      expect(text.split('\n').length).toBeLessThanOrEqual(501)
      expect(text.startsWith('token_type,token_address,receiver,amount,id\nerc20,0x')).toBe(true)
      expect(text.endsWith(',')).toBe(true)
    }
    const receivers = texts
      .flatMap((text) => text.split('\n').slice(1))
      .map((line) => line.split(',')[2])
    expect(new Set(receivers).size).toBe(1_001)
  })

  test('of the Transaction Builder have 200 transfers each', async () => {
    await aSnapshot(
      app,
      Array.from({ length: 201 }, (_, nth) => ({ tokens: ONE, wallet: walletOf(nth) })),
    )
    const made = await aDistribution(app, { tool: 'safe_transactions' })
    expect(made.files.map(({ rows }) => rows)).toEqual([200, 1])
    const { text } = await download(app, made.id, made.files[1]?.name ?? '')
    expect(JSON.parse(text)).toMatchObject({
      chainId: '56',
      transactions: [{ value: '0', data: expect.stringMatching(/^0xa9059cbb[0-9a-f]{128}$/) }],
    })
  })
})

describe('publishing', () => {
  test('names the contract, and takes a second person', async () => {
    await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    const made = await aDistribution(app, { tool: 'uniswap' })
    const [ann, bob] = [await anOperatorPerson(app, 'owner'), await anOperatorPerson(app, 'owner')]
    const contract = walletOf(99)
    const at = { contract, from_block: '17', claim_url: 'https://claim.example/it' }
    const body = { ...at, expires_date: '2098-12-31' }
    const asked = await publish(app, made.id, body, ann.as)
    expect(asked.status).toBe(202)
    const { approval } = asked.body as unknown as { approval: { id: string; hash: string } }
    const decide = {
      params: { id: approval.id },
      headers: {},
      body: { hash: approval.hash },
    }
    const call = distributionsContract.getDistribution
    const { body: waiting } = await app.client.call(call, { params: { id: made.id } }, operator)
    expect(waiting).toMatchObject({
      state: 'made',
      asked_acts: [{ approval_id: approval.id, act: 'publishDistribution' }],
    })
    const approved = await app.client.call(approvalsContract.approveAct, decide, bob.as)
    expect(approved.body).toMatchObject({ state: 'done' })
    const { body: published } = await app.client.call(call, { params: { id: made.id } }, operator)
    expect(published).toMatchObject({
      state: 'published',
      contract,
      from_block: '17',
      claim_url: 'https://claim.example/it',
      // A day is over at its end.
      expires_date: '2099-01-01T00:00:00.000Z',
    })
    expect((await publish(app, made.id, body)).refusal.reason).toBe('DistributionClosed')
  })

  test('refuses a wrong checksum, a day in the past, and one contract for two lists', async () => {
    await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    const first = await aDistribution(app, { tool: 'uniswap', through: 0 })
    const second = await aDistribution(app, { tool: 'uniswap' })
    const contract = walletOf(99)
    const wrong = contract.replace(/[a-f]/, (letter) => letter.toUpperCase())
    expect((await publish(app, first.id, { contract: wrong })).refusal.errors).toMatchObject([
      { path: 'contract' },
    ])
    const past = { contract, expires_date: '2020-01-01' }
    expect((await publish(app, first.id, past)).refusal.errors).toMatchObject([
      { path: 'expires_date' },
    ])
    expect((await publish(app, first.id, { contract })).status).toBe(200)
    expect((await publish(app, second.id, { contract })).refusal.message).toContain(
      `Distribution ${first.id} was published`,
    )
  })

  test('can be taken back by two people until something was claimed', async () => {
    await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
    const made = await aDistribution(app, { tool: 'uniswap' })
    await publish(app, made.id, { contract: walletOf(99) })
    const [ann] = [await anOperatorPerson(app, 'owner'), await anOperatorPerson(app, 'owner')]
    expect((await withdraw(app, made.id, ann.as)).refusal.message).toContain('EVM_RPC_URL_56')
    playChain(app)
    await app.open.database
      .updateTable('distributions')
      .set({ read_height: 19n, read_hash: `0x${'ef'.repeat(32)}` })
      .execute()
    expect((await withdraw(app, made.id, ann.as)).status).toBe(202)
    const claim = seenAt({ place: 0, owner: walletOf(1).toLowerCase(), claimed: ONE, amount: ONE })
    playChain(app, { read: async () => readingOf([claim]) })
    expect((await withdraw(app, made.id)).refusal.message).toContain('reached their owners')
    playChain(app, { read: async () => Promise.reject(new Unavailable('No node answers')) })
    expect((await withdraw(app, made.id)).refusal.reason).toBe('RailUnavailable')
  })
})

test('who may only look sees no file and makes nothing', async () => {
  await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
  const made = await aDistribution(app, { tool: 'plain', through: 0 })
  const viewer = await anOperatorPerson(app, 'viewer')
  const { client } = app
  const list = await client.call(distributionsContract.listDistributions, { query: {} }, viewer.as)
  expect(list.body.data).toMatchObject([{ id: made.id }])
  const refused = await tryToMake(app, { tool: 'plain' }, viewer.as)
  expect(refused.refusal.reason).toBe('PermissionMissing')
  expect((await withdraw(app, made.id, viewer.as)).refusal.reason).toBe('PermissionMissing')
})

test('what was made and downloaded is in the log', async () => {
  await aSnapshot(app, [{ tokens: ONE, wallet: walletOf(1) }])
  const made = await aDistribution(app, { tool: 'plain' })
  await download(app, made.id, `distribution-${made.id}.plain.csv`)
  const acts = await app.open.database
    .selectFrom('operator_actions')
    .select(['act', 'details'])
    .orderBy('id', 'desc')
    .limit(2)
    .execute()
  expect(acts).toEqual([
    {
      act: 'getDistributionFile',
      details: { distribution_id: made.id, file: `distribution-${made.id}.plain.csv` },
    },
    {
      act: 'makeDistribution',
      details: {
        distribution_id: made.id,
        snapshot: '1',
        tool: 'plain',
        through: 'all',
        rows: '1',
        amount: '1',
      },
    },
  ])
})

test('the outlook says what is released, what was handed out, and who has no wallet', async () => {
  await aSnapshot(app, [
    { tokens: 100n * ONE, wallet: walletOf(1) },
    { tokens: 50n * ONE, wallet: null },
  ])
  await aDistribution(app, { tool: 'plain', through: 0 })
  const call = distributionsContract.lookAheadAtDistributions
  const { body } = await app.client.call(call, {}, operator)
  expect(body).toMatchObject({
    snapshot: {
      number: 1,
      owners: 2,
      tokens: '150',
      unassigned: { owners: 1, tokens: '50' },
      handed_out: '1',
    },
    chain_id: 56,
  })
  expect(body.releases.map(({ months, released }) => [months, released])).toEqual([
    [0, '1.5'],
    [1, '31.2'],
    [2, '60.9'],
    [3, '90.6'],
    [4, '120.3'],
    [5, '150'],
  ])
  // 31 January and a month: the last day of February.
  expect(body.releases[1]?.date).toBe('2027-02-28T12:00:00.000Z')
})

test('an unknown id is not found', async () => {
  const id = String(randomUUID().length * 1_000)
  const input = { params: { id }, headers: named }
  const reply = await app.client.call(distributionsContract.getDistribution, input, operator)
  expect(reply.refusal.reason).toBe('NotFound')
})
