import type { UserExport } from '#contract/export.ts'
import { deviceName } from '#domain/accounts/device.ts'
import { ownerReleases } from '#domain/delivery/release.ts'
import type { Services } from '#server/services.ts'
import type { ExportedUser } from '#server/use-cases/accounts/export-user.ts'
import { presentMark, presentStatus, presentTransfer } from './operator/present-operations.ts'
import { presentRelease } from './present-release.ts'
import { presentTransaction } from './present-transaction.ts'
import { presentUser } from './present-user.ts'
import { assetToWire, instantToWire, orNull, tokensToWire } from '#contract/codec.ts'

export function presentExport(
  exported: ExportedUser,
  services: Pick<Services, 'sale'>,
): UserExport {
  const { sale } = services
  const refundOf = (refund: ExportedRefund) => ({
    transaction_id: refund.purchase_id,
    receipt_id: refund.receipt_id,
    payment_token_id: refund.payment_token_id,
    amount: assetToWire(sale, refund.payment_token_id, refund.amount),
    why: refund.why,
  })
  return {
    exported_date: instantToWire(exported.exportedAt),
    ...presentAccount(exported, sale),
    transactions: exported.transactions.map((view) => presentTransaction(view, services)),
    releases: ownerReleases(sale, exported.holdings).map((release) =>
      presentRelease(release, sale.project),
    ),
    status_history: exported.history.map((entry) => ({
      transaction_id: entry.purchase_id,
      ...presentStatus(entry),
    })),
    ledger: exported.ledger.map((entry) => ({
      transaction_id: entry.cause_id,
      ...presentTransfer(entry, sale),
    })),
    refunds: exported.refunds.map(refundOf),
    refund_payments: exported.refundPayments.map((payment) => ({
      ...refundOf(payment),
      hash: payment.transaction_hash,
      date: instantToWire(payment.paid_at),
    })),
    receiving_wallets: exported.wallets.map(presentWallet),
    ...presentDelivery(exported, sale.project.decimals),
    refund_claims: exported.claims.map((claim) => ({
      id: claim.id,
      transaction_ids: [...new Set(claim.parts.map(({ purchase_id }) => purchase_id))],
      payment_token_id: claim.payment_token_id,
      chain: claim.chain,
      address: claim.address,
      amount: assetToWire(sale, claim.payment_token_id, claim.amount),
      fee: assetToWire(sale, claim.payment_token_id, claim.fee),
      state: claim.state,
      claimed_date: instantToWire(claim.claimed_at),
      approved_date: orNull(claim.approved_at, instantToWire),
      closed_date: orNull(claim.closed_at, instantToWire),
      reason: claim.reason,
      hash: claim.transaction_hash,
    })),
    operator_marks: exported.marks.map((mark) => ({
      transaction_id: mark.purchase_id,
      ...presentMark(mark),
    })),
    operator_actions: exported.actions.map((action) => ({
      transaction_id: action.purchase_id,
      act: action.act,
      details: action.details,
      date: instantToWire(action.at),
    })),
    referrals: {
      referred: exported.referrals.referredCount,
      earned_tokens: tokensToWire(exported.referrals.earned, sale.project.decimals),
    },
  }
}

type ExportedRefund = Pick<
  ExportedUser['refunds'][number],
  'purchase_id' | 'receipt_id' | 'payment_token_id' | 'amount' | 'why'
>

function presentAccount(exported: ExportedUser, { project }: Services['sale']) {
  const { twoFactor } = exported
  return {
    profile: {
      ...presentUser(exported.account, project),
      referred_by: exported.referrerId,
      requires_password_change: exported.requiresPasswordChange,
    },
    two_factor: {
      is_on: twoFactor.isOn,
      since_date: orNull(twoFactor.onSince, instantToWire),
      recovery_codes_left: twoFactor.recoveryCodesLeft,
    },
    sessions: exported.sessions.map((session) => ({
      id: session.id,
      device: deviceName(session.user_agent),
      address: session.address,
      user_agent: session.user_agent,
      started_date: instantToWire(session.started_at),
      last_used_date: instantToWire(session.last_used_at),
      ended_date: orNull(session.ended_at, instantToWire),
    })),
    login_places: exported.places.map((place) => ({
      first_used_date: instantToWire(place.first_used_at),
      last_used_date: instantToWire(place.last_used_at),
    })),
    links: exported.links.map((link) => ({
      purpose: link.purpose,
      created_date: instantToWire(link.created_at),
      expires_date: instantToWire(link.expires_at),
      closed_date: orNull(link.closed_at, instantToWire),
    })),
    mails: exported.mails.map((mail) => ({
      kind: mail.kind,
      created_date: instantToWire(mail.created_at),
      sent_date: orNull(mail.sent_at, instantToWire),
      about: mail.params,
    })),
  }
}

function presentWallet(
  wallet: ExportedUser['wallets'][number],
): UserExport['receiving_wallets'][number] {
  return {
    chain_id: Number(wallet.chain_id),
    address: wallet.address,
    proof: wallet.proof,
    message: wallet.message,
    signature: wallet.signature,
    block_height: orNull(wallet.block_height, String),
    set_date: instantToWire(wallet.set_at),
    effective_date: instantToWire(wallet.effective_at),
    cancelled_date: orNull(wallet.cancelled_at, instantToWire),
  }
}

function presentDelivery(
  { snapshots, distributions }: Pick<ExportedUser, 'snapshots' | 'distributions'>,
  decimals: number,
): Pick<UserExport, 'snapshots' | 'distributions'> {
  return {
    snapshots: snapshots.map(({ snapshot, tokens, address, parts }) => ({
      snapshot,
      tokens: tokensToWire(tokens, decimals),
      address,
      parts: parts.map((part) => ({
        id: part.id,
        stage_id: part.stageId,
        tokens: tokensToWire(part.tokens, decimals),
        salt: `0x${Buffer.from(part.salt).toString('hex')}`,
      })),
    })),
    distributions: distributions.map(({ distribution_id: id, tokens }) => ({
      distribution_id: String(id),
      tokens: tokensToWire(tokens, decimals),
    })),
  }
}
