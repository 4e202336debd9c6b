import { instantToWire } from '#contract/codec.ts'
import type { AskedAct } from '#contract/operator/shapes.ts'
import type { Refund } from '#server/use-cases/operations/list-refunds.ts'

/** What waits for a second person, beside what it is about. */
export function presentAsked(asked: Refund['asked']): AskedAct[] {
  return asked.map(({ id, act, asked_name: name, asked_at: at }) => ({
    approval_id: id,
    act,
    asked_by: name === '' ? null : name,
    asked_date: instantToWire(at),
  }))
}
