import { randomBytes, randomUUID } from 'node:crypto'
import { deliveriesContract } from '#contract/delivery/deliveries.ts'
import { distributionsContract } from '#contract/operator/distributions.ts'
import type { DistributionTool } from '#domain/delivery/distribution.ts'
import { tokenAmount } from '#domain/money.ts'
import { followDistributions } from '#server/use-cases/deliveries/follow-distributions.ts'
import type { Anvil } from '#tests/kit/servers/anvil.ts'
import { startApp, type TestApp, type TestAppOptions } from '#tests/kit/servers/start-app.ts'
import type { RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'

/** The confirmations that a delivery waits for in tests. */
export const DELIVERED_AFTER = 3

type DeliveryApp = {
  anvil: Pick<Anvil, 'url' | 'chainId'>
  /** The token's contract. */
  token: string
  /** The address of its nodes, if not the chain itself. */
  nodes?: string
} & Pick<TestAppOptions, 'open'>

/** The whole server with a sale that is paid in the sandbox and delivered on a real EVM chain. */
export async function startDeliveryApp(options: DeliveryApp): Promise<TestApp> {
  const { anvil, token, nodes = anvil.url, open } = options
  return await startApp({
    changeSale: (sale) => ({
      ...sale,
      delivery: {
        chain: 'ERC20',
        chainId: anvil.chainId,
        decimals: sale.project.decimals,
        treasury: null,
      },
      project: { ...sale.project, contract: { chain: 'ERC20', address: token, explorerUrl: null } },
    }),
    environment: {
      [`EVM_RPC_URL_${anvil.chainId}`]: nodes,
      [`EVM_CONFIRMATIONS_${anvil.chainId}`]: String(DELIVERED_AFTER),
    },
    ...(open && { open }),
  })
}

export type Owner = { user: RegisteredUser; tokens: bigint; address: string | null }

/** Writes a snapshot of these owners, as if the books had been closed; returns its number. */
export async function aSnapshot({ services }: TestApp, owners: readonly Owner[]): Promise<number> {
  const { database, clock, sale } = services
  const last = await database
    .selectFrom('snapshots')
    .select(({ fn }) => fn.max('number').as('number'))
    .executeTakeFirst()
  const number = (last?.number ?? 0) + 1
  const sum = owners.reduce((total, { tokens }) => total + tokens, 0n)
  await database
    .insertInto('snapshots')
    .values({
      number,
      taken_at: clock.now(),
      ledger_position: 0n,
      tokens: tokenAmount(sum),
      leaf_count: owners.length,
      owner_count: owners.length,
      root: randomBytes(32),
      reason: number === 1 ? null : 'Another test',
    })
    .execute()
  for (const [place, { user, tokens, address }] of owners.entries()) {
    const owner = { snapshot: number, user_id: user.user.id, tokens: tokenAmount(tokens) }
    const leaf = { cause_id: randomUUID(), salt: randomBytes(32), tree_index: place }
    const stage_id = sale.stages[0]?.id ?? ''
    await database
      .insertInto('snapshot_leaves')
      .values({ ...owner, ...leaf, stage_id })
      .execute()
    await database
      .insertInto('snapshot_owners')
      .values({ ...owner, address })
      .execute()
  }
  return number
}

/** Makes a distribution of what is due to the owners of a snapshot. */
export async function aDistribution(
  { client }: TestApp,
  tool: DistributionTool,
  snapshot: number,
  through?: number,
) {
  const body = { snapshot, tool, ...(through !== undefined && { through }) }
  const call = distributionsContract.makeDistribution
  return (await client.call(call, { body, headers: named }, operator)).body
}

/** Names the contract of a distribution, or the wallet that sends. */
export async function publish(
  { client }: TestApp,
  id: string,
  { contract, ...more }: { contract: string; expires_date?: string; claim_url?: string },
) {
  const input = { params: { id }, headers: named, body: { contract, from_block: '0', ...more } }
  return (await client.call(distributionsContract.publishDistribution, input, operator)).body
}

/** Reads the chains once, and returns what a buyer then sees of their tokens. */
export async function readAndSee(app: TestApp, { as }: Pick<RegisteredUser, 'as'>) {
  await followDistributions(app.services)
  return (await app.client.call(deliveriesContract.listOwnDeliveries, {}, as)).body
}
