import { type ReactNode, useId } from 'react'
import { CalendarClock, Printer, ReceiptText, UserPlus } from 'lucide-react'
import type { Transaction } from '#contract/shapes.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { formatUsd } from '#web/lib/format/format.ts'
import { formatTokens } from '#web/lib/format/token-amounts.ts'
import { paths } from '#web/lib/paths.ts'
import { useReferralTexts } from '#web/messages/use-referral-texts.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { LinkButton, SmallButton } from '#web/ui/actions.tsx'
import { AccentPanel } from '#web/ui/layout/accent-panel.tsx'
import { Mark } from '#web/ui/mark.tsx'
import { unbrokenSize } from '#web/ui/style/unbroken-size.ts'
import type { DialogSlots } from './dialog-slots.ts'

interface CompletionPanelProps {
  transaction: Transaction
  projectSymbol: string
  /** What is special about how the tokens were paid for. */
  children: ReactNode
}

/** The tokens that now belong to the buyer, as the one figure of the dialog. */
export function CompletionPanel({ transaction, projectSymbol, children }: CompletionPanelProps) {
  const { areYours } = useTransactionTexts()
  const figureId = useId()
  const figure = formatTokens(transaction.tokens.total)
  return (
    <AccentPanel
      aria-labelledby={figureId}
      className="flex items-center gap-x-6 gap-y-4 p-4 max-sm:flex-col max-sm:items-start sm:p-6"
    >
      <div className="@container flex w-full min-w-0 flex-1 flex-col gap-2">
        <p id={figureId} className="flex flex-wrap items-baseline gap-x-2 font-display font-strong">
          <span
            className="tabular text-49 whitespace-nowrap"
            style={{ fontSize: unbrokenSize(figure, 'var(--text-49)') }}
          >
            {figure}
          </span>{' '}
          <span className="text-20">{`${projectSymbol} ${areYours}`}</span>
        </p>
        <p className="wrap-anywhere">{children}</p>
      </div>
      <Mark
        fill={1}
        isCoinDropping
        className="size-16 shrink-0 max-sm:order-first max-sm:size-12"
      />
    </AccentPanel>
  )
}

interface NextStepsProps {
  transaction: Transaction
  slots: DialogSlots
}

/** What comes after the payment: the release, the receipt, and a friend. */
export function NextSteps({ transaction, slots }: NextStepsProps) {
  const { next, help } = useTransactionTexts()
  const referrals = useReferralTexts()
  const { releaseLine, referral } = slots
  return (
    <ul aria-label={next.label} className="divide-y divide-hairline">
      {releaseLine !== null && (
        <NextStep icon={<CalendarClock size={20} />} title={next.release}>
          {releaseLine}
        </NextStep>
      )}
      <NextStep
        icon={<ReceiptText size={20} />}
        title={next.receipt}
        action={<PrintButton />}
        note={help.number(purchaseNumber(transaction.id))}
      >
        {next.receiptText}
      </NextStep>
      {referral !== null && (
        <NextStep
          icon={<UserPlus size={20} />}
          title={next.invite}
          action={
            <LinkButton to={paths.referrals} variant="secondary" size="small">
              {next.inviteLink}
            </LinkButton>
          }
        >
          {`${referrals.offer(formatUsd(referral.earn), formatUsd(referral.spend))}.`}
        </NextStep>
      )}
    </ul>
  )
}

interface NextStepProps {
  icon: ReactNode
  title: string
  note?: string
  action?: ReactNode
  children: ReactNode
}

function NextStep({ icon, title, note, action, children }: NextStepProps) {
  return (
    <li className="grid grid-cols-[2.5rem_minmax(0,1fr)] items-center gap-x-4 gap-y-2 py-3 sm:grid-cols-[2.5rem_minmax(0,1fr)_auto]">
      <span
        aria-hidden="true"
        className="flex size-10 items-center justify-center rounded-pill bg-raised text-accent"
      >
        {icon}
      </span>
      <div className="flex min-w-0 flex-col">
        <span className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-medium">{title}</span>
          {note !== undefined && <span className="tabular text-14 text-quiet">{note}</span>}
        </span>
        <span className="text-14 text-quiet">{children}</span>
      </div>
      {action !== undefined && <div className="max-sm:col-start-2">{action}</div>}
    </li>
  )
}

/** Prints the receipt; every browser can save it as a PDF from there. */
export function PrintButton() {
  const { next } = useTransactionTexts()
  return (
    <SmallButton onClick={() => window.print()}>
      <Printer size={16} className="shrink-0 max-sm:hidden" />
      {next.print}
    </SmallButton>
  )
}
