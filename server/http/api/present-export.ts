import type { UserExport } from '#contract/export.ts'
import { deviceName } from '#domain/accounts/device.ts'
import { ownerReleases } from '#domain/delivery/release.ts'
import type { Services } from '#server/services.ts'
import type { ExportedUser } from '#server/use-cases/accounts/export-user.ts'
import { assetOfRow, presentTransfer } from './operator/present-operations.ts'
import { presentRelease } from './present-release.ts'
import { presentTransaction } from './present-transaction.ts'
import { presentUser } from './present-user.ts'
import { assetToWire, rowToWire, instantToWire, orNull, tokensToWire } from '#contract/codec.ts'

export function presentExport(exported: ExportedUser, services: Services): UserExport {
  const { sale } = services
  const refundOf = (refund: ExportedRefund) => {
    const asset = assetOfRow(refund)
    return {
      transaction_id: refund.purchase_id,
      receipt_id: refund.receipt_id,
      payment_token_id: refund.payment_token_id,
      asset,
      amount: assetToWire(sale, asset, refund.amount),
      why: refund.why,
    }
  }
  return {
    exported_date: instantToWire(exported.exportedAt),
    ...presentAccount(exported, sale),
    transactions: exported.transactions.map((view) => presentTransaction(view, services)),
    releases: ownerReleases(sale, exported.holdings).map((release) =>
      presentRelease(release, sale.project),
    ),
    status_history: exported.history.map((entry) => ({
      transaction_id: entry.purchase_id,
      ...rowToWire(entry),
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
      ...rowToWire(claim),
      transaction_ids: [...new Set(claim.parts.map(({ purchase_id }) => purchase_id))],
      amount: assetToWire(sale, claim.payment_token_id, claim.amount),
      fee: assetToWire(sale, claim.payment_token_id, claim.fee),
      hash: claim.transaction_hash,
    })),
    operator_marks: exported.marks.map((mark) => ({
      transaction_id: mark.purchase_id,
      ...rowToWire(mark),
    })),
    operator_actions: exported.actions.map((action) => ({
      ...rowToWire(action),
      transaction_id: action.purchase_id,
    })),
    referrals: {
      referred: exported.referrals.referredCount,
      earned_tokens: tokensToWire(exported.referrals.earned, sale.project.decimals),
    },
  }
}

type ExportedRefund = Pick<
  ExportedUser['refunds'][number],
  'purchase_id' | 'receipt_id' | 'payment_token_id' | 'chain' | 'asset' | 'amount' | 'why'
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
      ...rowToWire(session),
      device: deviceName(session.user_agent),
    })),
    login_places: exported.places.map(rowToWire),
    links: exported.links.map(rowToWire),
    mails: exported.mails.map((mail) => ({ ...rowToWire(mail), about: mail.params })),
  }
}

function presentWallet(
  wallet: ExportedUser['wallets'][number],
): UserExport['receiving_wallets'][number] {
  return {
    ...rowToWire(wallet),
    chain_id: Number(wallet.chain_id),
    block_height: orNull(wallet.block_height, String),
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
