import type { ReactNode } from 'react'
import { Mail } from 'lucide-react'
import type { Transaction } from '#contract/shapes.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { PlainLink } from '#web/ui/actions.tsx'
import { mailLink } from './mail-link.ts'

interface HelpLineProps {
  transaction: Transaction
  /** Null if the sale names nobody to write to. */
  email: string | null
  /** Between the number and the contact. */
  children?: ReactNode
}

/** The number of the purchase, and whom to ask about it. */
export function HelpLine({ transaction, email, children }: HelpLineProps) {
  const { help } = useTransactionTexts()
  const number = purchaseNumber(transaction.id)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-hairline pt-4 text-14">
      <span className="tabular whitespace-nowrap text-quiet">{help.number(number)}</span>
      {children}
      {email !== null && (
        <span className="flex flex-wrap items-center gap-x-2">
          <Mail size={16} className="shrink-0 text-quiet" />
          <span className="text-quiet">{help.questions}</span>
          <PlainLink
            href={mailLink(email, help.subject(number))}
            className="relative wrap-anywhere after:absolute after:-inset-x-2 after:-inset-y-3"
          >
            {email}
          </PlainLink>
        </span>
      )}
    </div>
  )
}
