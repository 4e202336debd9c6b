import { replaceSandboxBlocks } from '#server/database/rails/sandbox-chain.ts'
import type { Services } from '#server/services.ts'
import { requireSandbox } from './require-sandbox.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'

/** Replaces the last blocks by empty ones and settles what follows. Gives the height. */
export async function reorganiseSandbox(services: Services, depth: number): Promise<bigint> {
  requireSandbox(services)
  const height = await replaceSandboxBlocks(services.database, depth, services.clock.now())
  await watchChains(services)
  return height
}
