import { sql } from 'kysely'
import pg from 'pg'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { contract } from '#contract/contract.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { chartPeriods } from '#contract/sale.ts'
import { inboxKindNames, inboxOrders } from '#domain/operators/inbox.ts'
import {
  purchaseSortings,
  purchaseStatuses,
  refundStates,
  transactionStates,
} from '#domain/settlement/outcome.ts'
import { parseConfig } from '#server/config/config.ts'
import { saveAudit } from '#server/database/books/audits.ts'
import { saleFileHash } from '#server/use-cases/sale/apply-sale.ts'
import { listLoops } from '#server/workers/start-workers.ts'
import {
  explainReads,
  type RecordingDatabase,
  recordStatements,
} from '#tests/kit/builders/query-plans.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { anOperatorPerson, type OperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { anAddress, aRegistration, aUser } from '#tests/kit/builders/a-user.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'
import type { LooseInput } from '#tests/kit/servers/client.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'
import { GROWN_TOKEN_PREFIX, growDatabase } from '#tests/prove/speed/grow.ts'

const USERS = 8_000
/** More than any call has to look at of one table, and far less than there is. */
const ROWS_MAX = 5_000

/** What has a row for each user or each purchase, and so many here that reading all is dearer. */
const growing = [
  'users',
  'sessions',
  'outbox_mails',
  'purchases',
  'first_purchases',
  'purchase_status_history',
  'receipts',
  'rewards',
  'ledger_transfers',
  'price_points',
]

let database: TestDatabase
let recording: RecordingDatabase
let app: TestApp
/** A user with purchases, and one that has a refund. */
let owner: OperatorPerson
let user: { id: string; purchaseId: string; address: string; as: { accessToken: string } }
let owed: { receiptId: string; purchaseId: string }
let refundPlace: string
let registered: { email: string; password: string }

beforeAll(async () => {
  database = await openTestDatabase()
  recording = recordStatements(database)
  app = await startApp({ open: recording.open })
  const { config } = database
  const client = new pg.Client(config.kind === 'postgres' ? config.url : '')
  await client.connect()
  await growDatabase(client, { users: USERS, seed: 1 })
  await client.end()
  const { email, password } = await aUser(app)
  registered = { email, password }
  owner = await anOperatorPerson(app, 'owner')
  const first = await database.database
    .selectFrom('users')
    .innerJoin('purchases', 'purchases.user_id', 'users.id')
    .select(['users.id', 'purchases.id as purchaseId', 'purchases.address'])
    .where('users.email', '=', 'user-1@example.com')
    .limit(1)
    .executeTakeFirstOrThrow()
  user = { ...first, as: { accessToken: `${GROWN_TOKEN_PREFIX}1` } }
  const due = await database.database
    .selectFrom('refunds_due')
    .selectAll()
    .orderBy('since', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  owed = { receiptId: due.receipt_id, purchaseId: due.purchase_id }
  refundPlace = `${due.since.toISOString()}_${due.receipt_id}_0`
}, 120_000)
afterAll(async () => {
  await app.close()
  await database.close()
})

type Call = {
  endpoint: Endpoint
  /** `person`: an owner in a session; `operator`: whoever has the token. */
  as: 'user' | 'operator' | 'person' | 'nobody'
  input: LooseInput
}

const { auth, users, sale, transactions, sandbox, people, operator: ops, console } = contract
const as =
  (role: Call['as']) =>
  (endpoint: Endpoint, input: LooseInput = {}): Call => ({ endpoint, as: role, input })
const [byNobody, byUser, byOperator] = [as('nobody'), as('user'), as('operator')]
const byPerson = as('person')

/** Every call that reads, with everything that its query can ask for, and the usual writes. */
const calls: Record<string, () => Call[]> = {
  'what everybody may see': () => [
    ...[
      sale.getCurrentProject,
      sale.getActiveStage,
      sale.listStages,
      sale.getPrices,
      sale.getFinalPrice,
      sale.listBanners,
      sale.getSoftCap,
    ].map((endpoint) => byNobody(endpoint)),
    byNobody(sale.getTokenMinimum, { params: { id: 'eth' } }),
  ],
  'the price chart': () =>
    chartPeriods.map((period) => byNobody(sale.getPriceChart, { query: { period } })),
  'the mails of a sandbox': () => [
    byNobody(sandbox.listMails),
    byNobody(sandbox.listMails, { query: { to: 'user-1@example.com' } }),
  ],
  'an account': () => [
    ...[
      users.getUser,
      users.getReferrals,
      users.getReferralLink,
      users.listSessions,
      users.exportUser,
    ].map((endpoint) => byUser(endpoint, own())),
    byUser(auth.getTwoFactor),
    byUser(sale.listPromotions),
    byUser(sale.getPromotionImages),
    byUser(sale.calculateBonus, { body: { purchase_amount: 100, purchase_token_id: 'eth' } }),
    byUser(users.updateUser, own({ body: { first_name: 'Grace' } })),
  ],
  'transactions of a user': () => [
    byUser(transactions.getTransaction, { params: { id: user.purchaseId } }),
    ...[{}, ...transactionStates.map((state) => ({ state }))].flatMap((query) => [
      byUser(users.listTransactions, own({ query })),
      byUser(users.listTransactions, own({ query: { ...query, after: user.purchaseId } })),
      byUser(users.listTransactions, own({ query: { ...query, before: user.purchaseId } })),
    ]),
  ],
  'purchases, as operators look for them': () => [
    byOperator(ops.getPurchaseRecord, { params: { id: owed.purchaseId } }),
    ...[{}, ...purchaseStatuses.map((status) => ({ status }))].flatMap((query) => [
      byOperator(ops.searchPurchases, { query }),
      byOperator(ops.searchPurchases, { query: { ...query, after: user.purchaseId } }),
      byOperator(ops.searchPurchases, { query: { ...query, user_id: user.id } }),
      ...[
        user.purchaseId,
        user.purchaseId.slice(0, 8),
        'user-1@example.com',
        user.address.toUpperCase(),
        `0x${'ab'.repeat(32)}`,
      ].map((q) => byOperator(ops.searchPurchases, { query: { ...query, q } })),
      byOperator(ops.searchPurchases, { query: { ...query, at_stake: 'true' } }),
      ...purchaseSortings.flatMap((sort) => [
        byOperator(ops.searchPurchases, { query: { ...query, sort, after: user.purchaseId } }),
        byOperator(ops.searchPurchases, { query: { ...query, sort, payment_token_id: 'eth' } }),
        byOperator(ops.searchPurchases, { query: { ...query, sort, from: '2026-01-01' } }),
      ]),
    ]),
  ],
  'people, as operators look for them': () => [
    byOperator(people.searchPeople),
    byOperator(people.searchPeople, { query: { after: user.id } }),
    byOperator(people.searchPeople, { query: { q: 'user-1@example.com' } }),
    byOperator(people.searchPeople, { query: { q: user.id } }),
    byOperator(people.getPerson, { params: { id: user.id } }),
    byOperator(people.getPerson, { params: { id: 'user-1@example.com' } }),
    byOperator(people.exportPerson, { params: { id: user.id }, headers: named }),
  ],
  'what else operators ask': () => [
    byOperator(ops.getSaleState),
    byOperator(ops.listActions),
    byOperator(ops.listActions, { query: { after: 1 } }),
    ...[...refundStates, 'all'].flatMap((state) => [
      byOperator(ops.listRefunds, { query: { state } }),
      byOperator(ops.listRefunds, { query: { state, after: refundPlace } }),
    ]),
  ],
  'what the console shows of the whole sale': () => [
    byOperator(console.getOverview),
    ...inboxOrders.flatMap((order) => [
      byOperator(console.listInbox, { query: { order } }),
      byOperator(console.listInbox, { query: { order, owner: 'nobody' } }),
      ...inboxKindNames.map((kind) => byOperator(console.listInbox, { query: { order, kind } })),
    ]),
  ],
  'what buyers claim, and the batches of it': () => [
    byUser(contract.refunds.listOwnRefunds),
    byUser(contract.releases.getOwnReleases),
    ...reads(contract.refundClaims),
    ...reads(contract.foreignTransfers),
    byOperator(contract.sweeps.getSweeps),
    byOperator(contract.sweeps.listSweep, { query: { chain_id: '1' } }),
    byOperator(contract.refundBatches.listRefundBatches),
    byOperator(contract.refundBatches.getRefundBatch, { params: { id: '1' } }),
    byOperator(contract.refundBatches.getRefundBatchFile, { params: { id: '1', format: 'csv' } }),
  ],
  'where tokens go, and what is handed out': () => [
    byUser(contract.wallets.getOwnWallet),
    byUser(contract.deliveries.listOwnDeliveries),
    byNobody(contract.proof.getProof),
    byUser(contract.proof.listProofReceipts),
    byOperator(contract.distributions.listDistributions),
    byOperator(contract.distributions.getDistribution, { params: { id: '1' } }),
    byOperator(contract.operatorWallets.getUserWallets, {
      params: { id: user.id },
      headers: named,
    }),
  ],
  'who the operators are, and what they connect': () => [
    ...reads(contract.operatorAccount),
    ...reads(contract.team),
    ...reads(contract.connections),
    ...reads(contract.approvals),
    ...reads(contract.audit),
    ...reads(contract.saleFiles),
  ],
  'a sale file that is checked and applied': () => {
    const text = readFileSync(parseConfig({}).saleFile, 'utf8')
    const changed = text.replace(/copyright_year: \d+/, 'copyright_year: 2031')
    const body = { text: changed, hash: saleFileHash(changed), applied_id: '1' }
    return [
      byOperator(contract.saleFiles.checkSaleFile, { body: { text: changed } }),
      byOperator(contract.saleFiles.applySaleFile, { headers: named, body }),
    ]
  },
  'a purchase, its payment and what an operator does about it': () => [
    byUser(transactions.createTransaction, {
      headers: { 'idempotency-key': randomUUID() },
      body: { purchase_amount: 100, purchase_token_id: 'eth' },
    }),
    byNobody(sandbox.mineBlocks, { body: { count: 1 } }),
    byOperator(ops.holdPurchase, {
      params: { id: user.purchaseId },
      headers: named,
      body: { reason: 'A look at it' },
    }),
    byOperator(ops.releasePurchase, {
      params: { id: user.purchaseId },
      headers: named,
      body: { reason: 'Seen' },
    }),
    byOperator(ops.payRefund, {
      params: { id: owed.receiptId },
      headers: named,
      body: { hash: 'sandbox-paid' },
    }),
  ],
  'accounts as they come and go': () => [
    byNobody(auth.register, { body: aRegistration() }),
    byNobody(auth.login, { body: registered }),
    byNobody(auth.forgotPassword, { body: { email: 'user-2@example.com' } }),
    byUser(auth.sendVerificationEmail),
    byOperator(people.requirePasswordChange, {
      params: { id: 'user-3@example.com' },
      headers: named,
    }),
    byOperator(people.endUserSessions, { params: { id: 'user-3@example.com' }, headers: named }),
  ],
}

/** The calls of a group that read, about nothing that exists where they are about one thing. */
const reads = (group: Record<string, Endpoint>): Call[] =>
  Object.values(group)
    .filter(({ method }) => method === 'GET')
    .map((endpoint) =>
      (endpoint.access === 'operator' ? byPerson : byNobody)(endpoint, {
        params: { id: '00000000-0000-4000-8000-000000000000' },
      }),
    )

const own = (input: LooseInput = {}): LooseInput => ({ ...input, params: { id: user.id } })

/**
 * The stream of events reads nothing, exports are lists of everything, and before the books are
 * closed it is counted who owns what.
 */
const apart: readonly Endpoint[] = [
  transactions.streamEvents,
  ops.listAllocations,
  ...Object.values(contract.exports),
  contract.snapshots.getSnapshots,
  contract.snapshots.listSnapshotChanges,
  contract.snapshots.exportUnassigned,
  contract.distributions.lookAheadAtDistributions,
  contract.distributions.getDistributionFile,
]

describe.each(Object.keys(calls))('%s', (name) => {
  test('never reads a whole table that grows, and few rows of any', async () => {
    const faults: string[] = []
    for (const { endpoint, input, as: role } of calls[name]?.() ?? []) {
      recording.take()
      const who = { user: user.as, operator, person: owner.as, nobody: {} }[role]
      const { status } = await app.client.callWith(endpoint, input, {
        ...who,
        remoteAddress: anAddress(),
      })
      const asked = `${endpoint.path} ${JSON.stringify(input).slice(0, 200)}`
      expect(status, asked).not.toBe(400)
      faults.push(...(await faultsOf(asked)))
    }
    expect(faults).toEqual([])
  }, 60_000)
})

/** The statements since the last look that read more than they may. */
async function faultsOf(what: string): Promise<string[]> {
  const faults: string[] = []
  for (const statement of recording.take()) {
    for (const { table, node, rowsRead } of await explainReads(database.database, statement)) {
      const isWhole = node === 'Seq Scan' && growing.includes(table)
      if (!isWhole && rowsRead <= ROWS_MAX) continue
      faults.push(`${what}: ${node} of ${table}, ${rowsRead} rows: ${statement.sql}`)
    }
  }
  return faults
}

test('the loops read no more than that at each of their steps', async () => {
  // An audit reads everything, and is due once a day.
  await saveAudit(database.database, { endedAt: app.clock.now(), durationMs: 0, notRun: [] })
  const faults: string[] = []
  // What was found at a first step may be looked at by the second.
  for (let nth = 0; nth < 2; nth += 1) {
    const { loops, stopReading } = listLoops(app.services)
    recording.take()
    for (const { name, step } of loops) {
      await step(app.services)
      if (name === 'watch-chains') await stopReading()
      const found = await faultsOf(name)
      // All sessions are looked through, but only every ten minutes.
      if (name !== 'delete-expired-records') faults.push(...found)
    }
  }
  expect(faults).toEqual([])
})

test('every call that reads is among them', () => {
  const asked = new Set(
    Object.values(calls).flatMap((list) => list().map(({ endpoint }) => endpoint)),
  )
  const all = Object.values(contract).flatMap((group) => Object.values<Endpoint>(group))
  const forgotten = all.filter(
    (endpoint) => endpoint.method === 'GET' && !asked.has(endpoint) && !apart.includes(endpoint),
  )
  expect(forgotten.map(({ path }) => path)).toEqual([])
})

test('what a connection has not paid is found among many who have not paid', async () => {
  const { database: own } = database
  await own.transaction().execute(async (transaction) => {
    await sql`set local session_replication_role = replica`.execute(transaction)
    await sql`
      update purchases set status = 'pending', connection_hash = decode(md5(id::text), 'hex')
      where id in (select id from purchases order by id limit ${2 * ROWS_MAX})`.execute(transaction)
  })
  // As they are at the first rush after a quiet time: nobody was waiting when rows were counted.
  const statement = {
    sql: 'select * from unpaid_of_connection($1)',
    parameters: [Buffer.alloc(16)],
  }
  const [read] = await explainReads(own, statement)
  expect(read?.rowsRead).toBeLessThanOrEqual(1)
})

test('a statement that reads a whole table is found', async () => {
  const sql = 'select id from purchases where payment_id = $1'
  const reads = await explainReads(database.database, { sql, parameters: ['nobody'] })
  expect(reads).toMatchObject([{ table: 'purchases', node: 'Seq Scan' }])
  expect(reads[0]?.rowsRead).toBeGreaterThanOrEqual(USERS * 5)
})
