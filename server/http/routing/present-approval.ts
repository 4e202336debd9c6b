import { rowToWire, instantToWire, orNull } from '#contract/codec.ts'
import { refusals } from '#contract/error-body.ts'
import { type Approval, WaitsForApproval as WaitingBody } from '#contract/operator/approvals.ts'
import type { AskedAct, EndedMark as WireMark } from '#contract/operator/shapes.ts'
import { formatDecimal, USD_DECIMALS } from '#domain/money.ts'
import type { RefusalReason } from '#domain/refusal.ts'
import type { EndedMark } from '#server/use-cases/approvals/ended-marks.ts'
import type { WaitsForApproval } from '#server/use-cases/approvals/require-approval.ts'
import * as z from 'zod/mini'

export function presentApproval(approval: WaitsForApproval['approval']): Approval {
  return {
    ...rowToWire(approval),
    hash: Buffer.from(approval.hash).toString('hex'),
    amount_fiat: orNull(approval.usd, (usd) => formatDecimal(usd, USD_DECIMALS)),
    asked_by: {
      id: approval.asked_by,
      name: approval.asked_name === '' ? null : approval.asked_name,
    },
    asked_person_id: approval.asked_person,
    decided_by: orNull(approval.decided_at, () => ({
      id: approval.decided_by,
      name: approval.decided_name,
    })),
    reason: orNull(approval.reason, sentenceOf),
  }
}

/** A refusal without a sentence of its own is stored as the name of its reason. */
function sentenceOf(reason: string): string {
  return Object.hasOwn(refusals, reason) ? refusals[reason as RefusalReason].message : reason
}

/** The body of the reply to a call that waits for a second person. */
export function presentWaiting({ approval }: WaitsForApproval): unknown {
  return z.parse(WaitingBody, { approval: presentApproval(approval) })
}

/** What waits for a second person, beside what it is about. */
export function presentAsked(asked: WaitsForApproval['approval']): AskedAct {
  const { id, act, asked_name: name, asked_at: at } = asked
  return {
    approval_id: id,
    act,
    asked_by: name === '' ? null : name,
    asked_date: instantToWire(at),
  }
}

export function presentEndedMark({ asked, hash, explorerUrl }: EndedMark): WireMark {
  return { ...presentAsked(asked), hash, explorer_url: explorerUrl }
}
