import { mineSandboxBlocks, mineSandboxBlockWhenDue } from '#server/database/rails/sandbox-chain.ts'
import type { Services } from '#server/services.ts'
import { requireSandbox } from './require-sandbox.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'

const BLOCK_INTERVAL_MS = 5_000

/** Adds blocks to the simulated chain and settles what follows. Gives the height. */
export async function mineSandbox(services: Services, count: number): Promise<bigint> {
  requireSandbox(services)
  const height = await mineSandboxBlocks(services.database, count, services.clock.now())
  await watchChains(services)
  return height
}

/** Lets the simulated chain grow by itself, by whichever instance comes first. */
export async function mineSandboxWhenDue(services: Services): Promise<void> {
  const { database, clock } = services
  if (await mineSandboxBlockWhenDue(database, BLOCK_INTERVAL_MS, clock.now())) {
    await watchChains(services)
  }
}
