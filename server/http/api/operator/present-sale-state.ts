import type { SaleState as WireSaleState } from '#contract/operator/operations.ts'
import type { SaleState } from '#server/use-cases/operations/get-sale-state.ts'
import { assetToWire, instantToWire, orNull } from '#contract/codec.ts'
import { formatDecimal, USD_DECIMALS } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { presentToken } from './present-operations.ts'

export function presentSaleState(state: SaleState, sale: Sale): WireSaleState {
  const { status, stage, pause, report, audit, refunds, withdrawable, softCap, chains } = state
  const { unmatchedCount, lostPaymentCount, snapshot } = state
  return {
    withdrawable: withdrawable.map(({ paymentTokenId, amount, usd, count }) => ({
      payment_token: presentToken(sale, paymentTokenId),
      amount: assetToWire(sale, paymentTokenId, amount),
      amount_fiat: formatDecimal(usd, USD_DECIMALS),
      purchases: count,
    })),
    soft_cap: orNull(softCap, ({ cap, raised, closedAt }) => ({
      amount_fiat: orNull(cap, (amount) => formatDecimal(amount, USD_DECIMALS)),
      raised_fiat: formatDecimal(raised, USD_DECIMALS),
      closed_date: orNull(closedAt, instantToWire),
    })),
    status: status.status,
    stage: stage?.name ?? null,
    starts_date: status.status === 'NOT_STARTED' ? instantToWire(status.startsAt) : null,
    pause: pause.isPaused
      ? { reason: pause.reason, since: orNull(pause.pausedAt, instantToWire) }
      : null,
    refunds: { ...refunds },
    unmatched: unmatchedCount,
    lost_payments: lostPaymentCount,
    snapshot,
    chains: chains.map(({ name, height, readThrough, readAgoMs, fault, tokens }) => ({
      name,
      fault,
      height: orNull(height, Number),
      read_through_date: orNull(readThrough, instantToWire),
      read_seconds_ago: orNull(readAgoMs, (ms) => Math.round(ms / 1000)),
      payment_tokens: tokens.map(({ paymentToken, fault }) => ({ id: paymentToken.id, fault })),
    })),
    audit: orNull(audit, ({ endedAt, durationMs, notRun }) => ({
      ended_date: instantToWire(endedAt),
      duration_ms: durationMs,
      not_run: notRun.map(({ check, fault }) => ({ check, fault })),
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
