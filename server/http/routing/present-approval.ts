import { instantToWire, orNull } from '#contract/codec.ts'
import { refusals } from '#contract/error-body.ts'
import { type Approval, WaitsForApproval as WaitingBody } from '#contract/operator/approvals.ts'
import type { AskedAct } from '#contract/operator/shapes.ts'
import { formatDecimal, USD_DECIMALS } from '#domain/money.ts'
import type { RefusalReason } from '#domain/refusal.ts'
import type { WaitsForApproval } from '#server/use-cases/approvals/require-approval.ts'
import * as z from 'zod/mini'

export function presentApproval(approval: WaitsForApproval['approval']): Approval {
  const { decided_at: decidedAt } = approval
  return {
    id: approval.id,
    act: approval.act,
    summary: approval.summary,
    about: approval.about,
    input: approval.input,
    hash: Buffer.from(approval.hash).toString('hex'),
    amount_fiat: orNull(approval.usd, (usd) => formatDecimal(usd, USD_DECIMALS)),
    state: approval.state,
    asked_by: {
      id: approval.asked_by,
      name: approval.asked_name === '' ? null : approval.asked_name,
    },
    asked_person_id: approval.asked_person,
    asked_date: instantToWire(approval.asked_at),
    permission: approval.permission,
    expires_date: instantToWire(approval.expires_at),
    decided_by: orNull(decidedAt, () => ({ id: approval.decided_by, name: approval.decided_name })),
    decided_date: orNull(decidedAt, instantToWire),
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
export function presentAsked(asked: readonly WaitsForApproval['approval'][]): AskedAct[] {
  return asked.map(({ id, act, asked_name: name, asked_at: at }) => ({
    approval_id: id,
    act,
    asked_by: name === '' ? null : name,
    asked_date: instantToWire(at),
  }))
}
