import type { Sale, StageProgress } from '#domain/sale/sale.ts'
import { NOTHING, type SaleDescription } from './describe-sale.ts'

type Counters = ReadonlyMap<string, StageProgress & { supply: bigint }>

/** Whether each stage of the applied sale has reached its end or was sold out. */
export function hasEnded(applied: SaleDescription, counters: Counters, now: Date): boolean {
  return [...counters].every(([id, { soldOutAt }]) => soldOutAt || endOf(applied, id) <= now)
}

/** Whether a sale has a stage that the applied one lacks, or that gets more tokens or more time. */
export function sellsMore(applied: SaleDescription, next: Sale, counters: Counters): boolean {
  return next.stages.some(({ id, supply, endsAt }) => {
    const counter = counters.get(id)
    if (counter === undefined || supply > counter.supply) return true
    const end = endOf(applied, id)
    return end !== NEVER && (endsAt ?? NEVER) > end
  })
}

const NEVER = new Date(8.64e15)

function endOf(applied: SaleDescription, id: string): Date {
  const end = applied[id]?.['end_date'] ?? NOTHING
  return end === NOTHING ? NEVER : new Date(end)
}
