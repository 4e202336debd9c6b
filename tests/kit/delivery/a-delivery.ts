import { deliveriesContract } from '#contract/delivery/deliveries.ts'
import type { DistributionTool } from '#domain/delivery/distribution.ts'
import { followDistributions } from '#server/use-cases/deliveries/follow-distributions.ts'
import type { Anvil } from '#tests/kit/servers/anvil.ts'
import { startApp, type TestApp, type TestAppOptions } from '#tests/kit/servers/start-app.ts'
import type { RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { writeSnapshot } from './a-snapshot.ts'
import { aDistribution as distributionOf, publish as publishCall } from './distribution-calls.ts'

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
export function aSnapshot(app: TestApp, owners: readonly Owner[]): Promise<number> {
  const owned = owners.map(({ user: { user }, tokens, address }) => ({
    userId: user.id,
    tokens,
    wallet: address,
  }))
  return writeSnapshot(app, owned)
}

/** Makes a distribution of what is due to the owners of a snapshot. */
export const aDistribution = (app: TestApp, tool: DistributionTool, snapshot: number) =>
  distributionOf(app, { tool, snapshot })

/** Names the contract of a distribution, or the wallet that sends. */
export async function publish(
  app: TestApp,
  id: string,
  body: Omit<Parameters<typeof publishCall>[2], 'from_block'>,
) {
  return (await publishCall(app, id, { ...body, from_block: '0' })).body
}

/** Reads the chains once, and returns what a buyer then sees of their tokens. */
export async function readAndSee(app: TestApp, { as }: Pick<RegisteredUser, 'as'>) {
  await followDistributions(app.services)
  return (await app.client.call(deliveriesContract.listOwnDeliveries, {}, as)).body
}
