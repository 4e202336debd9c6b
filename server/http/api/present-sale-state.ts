import type { SaleState as WireSaleState } from '#contract/operator.ts'
import type { SaleState } from '#server/use-cases/operations/get-sale-state.ts'
import { instantToWire, orNull } from '#contract/codec.ts'

export function presentSaleState({
  status,
  stage,
  pause,
  report,
  refunds,
  chains,
}: SaleState): WireSaleState {
  return {
    status: status.status,
    stage: stage?.name ?? null,
    starts_date: status.status === 'NOT_STARTED' ? instantToWire(status.startsAt) : null,
    pause: pause.isPaused
      ? { reason: pause.reason, since: orNull(pause.pausedAt, instantToWire) }
      : null,
    refunds: { ...refunds },
    chains: chains.map(({ name, height, readThrough, readAgoMs, fault, tokens }) => ({
      name,
      fault,
      height: orNull(height, Number),
      read_through_date: orNull(readThrough, instantToWire),
      read_seconds_ago: orNull(readAgoMs, (ms) => Math.round(ms / 1000)),
      payment_tokens: tokens.map(({ paymentToken, fault }) => ({ id: paymentToken.id, fault })),
    })),
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
