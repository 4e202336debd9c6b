import { Unavailable } from '#domain/unavailable.ts'
import { listMovements, sumSwept, type SweptTotal } from '#server/database/sweeps/movements.ts'
import {
  countSweepTransactions,
  listSweepable as listAddresses,
  listSweeps,
  listTransactions,
  type SweepRow,
  type SweepTransactionRow,
} from '#server/database/sweeps/sweeps.ts'
import type { Services } from '#server/services.ts'
import { listSweepable, type Sweepable } from './sweeping-of.ts'
import { type Valued, valueLying } from './value-lying.ts'

export type SweepWithTransactions = SweepRow & { transactions: readonly SweepTransactionRow[] }

export type SweepChainReport = Awaited<ReturnType<typeof reportChain>>

const NOTHING_SEEN: Valued[] = []
const SWEEPS_SHOWN = 10
const MOVEMENTS_SHOWN = 100
/** Failed transactions show in the metrics for this long. */
const FAILED_SHOWN_MS = 7 * 24 * 60 * 60_000

/** What is at our addresses, what is on its way, and what the chains show to have left. */
export async function reportSweeps(services: Services) {
  const { database } = services
  const swept = await sumSwept(database)
  const addresses = (await listAddresses(database, 'EVM_XPUB')).map(({ address }) => address)
  const chains = await Promise.all(
    listSweepable(services).map((each) => reportChain(services, each, addresses, swept)),
  )
  return {
    chains,
    sweeps: await listSweeps(database, SWEEPS_SHOWN),
    movements: await listMovements(database, MOVEMENTS_SHOWN),
  }
}

async function reportChain(
  services: Services,
  { sweeping, chain }: Sweepable,
  addresses: readonly string[],
  totals: readonly SweptTotal[],
) {
  const swept = totals.filter((each) => each.chain === chain.name)
  const shared = { ...chain, payer: sweeping.payer, swept }
  try {
    const sight = await sweeping.look(chain.name, addresses)
    const balances = await valueLying(services, sight, sight.gasPrice)
    return { ...shared, fault: null, sight, balances }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    return { ...shared, fault: error.message, sight: null, balances: NOTHING_SEEN }
  }
}

export async function withTransactions({ database }: Services, sweep: SweepRow) {
  return { ...sweep, transactions: await listTransactions(database, sweep.id) }
}

/** For the metrics. */
export async function countSweeps({ database, clock }: Services) {
  const since = new Date(clock.now().getTime() - FAILED_SHOWN_MS)
  return await countSweepTransactions(database, since)
}
