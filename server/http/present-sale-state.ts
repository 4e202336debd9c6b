import type { SaleState as WireSaleState } from '#contract/operator.ts'
import type { SaleState } from '#server/use-cases/get-sale-state.ts'
import { instantToWire, orNull } from './present-sale.ts'

export function presentSaleState({
  status,
  stage,
  pause,
  report,
  refunds,
}: SaleState): WireSaleState {
  return {
    status: status.status,
    stage: stage?.name ?? null,
    starts_date: status.status === 'NOT_STARTED' ? instantToWire(status.startsAt) : null,
    pause: pause.isPaused
      ? { reason: pause.reason, since: orNull(pause.pausedAt, instantToWire) }
      : null,
    refunds: { ...refunds },
    check: orNull(report, ({ checkedAt, durationMs, breaches, notRun }) => ({
      checked_date: instantToWire(checkedAt),
      duration_ms: durationMs,
      breaches: breaches.map(({ check, subject, fault }) => ({
        check,
        fault,
        is_accepted: pause.accepted.some(
          (accepted) => accepted.check === check && accepted.subject === subject,
        ),
      })),
      not_run: notRun.map(({ check, fault }) => ({ check, fault })),
    })),
  }
}
