import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { Transaction } from '#contract/shapes.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { applyTransaction } from '#web/features/purchase/transaction-cache.ts'
import { CallError } from '#web/lib/api/call.ts'
import { formatDate } from '#web/lib/format/format.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useWithdrawalTexts } from '#web/messages/use-withdrawal-texts.ts'
import { useSession, useUser } from '#web/session/session-context.tsx'
import { Button } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { PasswordField, TextField } from '#web/ui/fields/text-field.tsx'
import { paymentWords } from './payment-figures.ts'

interface WithdrawalProps {
  transaction: Transaction
  projectSymbol: string
}

/**
 * The withdrawal function, visible as long as the buyer may withdraw (Directive 2011/83/EU, Article
 * 11a): a statement of who withdraws from what, and a second step that confirms it. Nothing if
 * there is no such right, or no longer.
 */
export function Withdrawal({ transaction, projectSymbol }: WithdrawalProps) {
  const { status, withdrawable_until_date: until, withdrawn_date: withdrawn } = transaction
  const { totalSeconds } = useCountdown(until)
  const isOver = status === 'failed' || status === 'expired' || withdrawn !== null
  if (until === null || isOver || totalSeconds === 0) return null
  return <Function until={until} transaction={transaction} projectSymbol={projectSymbol} />
}

function Function({ until, transaction, projectSymbol }: WithdrawalProps & { until: string }) {
  const texts = useWithdrawalTexts()
  const [statement, setStatement] = useState<'unopened' | 'open' | 'closed'>('unopened')
  return (
    <section
      aria-label={texts.label}
      className="flex flex-col items-start gap-3 border-t border-hairline pt-4 text-14"
    >
      {statement === 'open' ? (
        <Statement
          transaction={transaction}
          projectSymbol={projectSymbol}
          onCancel={() => setStatement('closed')}
        />
      ) : (
        <>
          <p className="text-quiet">{texts.until(formatDate(until))}</p>
          <Button
            variant="secondary"
            onClick={() => setStatement('open')}
            // The focus comes back from the statement.
            autoFocus={statement === 'closed'}
          >
            {texts.open}
          </Button>
        </>
      )}
    </section>
  )
}

/** For the statement, which takes the place of the button that opens it. */
const takeFocus = (element: HTMLElement | null) => element?.focus()

function Statement({
  transaction,
  projectSymbol,
  onCancel,
}: WithdrawalProps & { onCancel: () => void }) {
  const texts = useWithdrawalTexts()
  const user = useUser()
  const { form, asksForCode } = useWithdrawal(transaction)
  const { id, created_date: created, status } = transaction
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex w-full flex-col gap-4">
      <div className="flex flex-col gap-2">
        <p ref={takeFocus} tabIndex={-1} className="text-16 font-medium">
          {texts.statement}
        </p>
        <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr]">
          <Line label={texts.buyer}>
            {user === null ? '' : `${user.first_name} ${user.last_name}`}
          </Line>
          <Line label={texts.contract}>
            {texts.purchase(purchaseNumber(id), formatDate(created))}
          </Line>
          <Line label={texts.confirmation}>{user?.email ?? ''}</Line>
        </dl>
      </div>
      <p>
        {status === 'pending'
          ? texts.consequencesUnpaid
          : texts.consequences(paymentWords(transaction, projectSymbol).tokens)}
      </p>
      <div className="flex flex-col gap-2 sm:max-w-96">
        <PasswordField
          {...form.text('password')}
          label={texts.password}
          autoComplete="current-password"
        />
        {asksForCode && (
          <TextField
            {...form.text('code')}
            label={texts.code}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="danger" isBusy={form.isSubmitting}>
          {texts.confirm}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}

function Line({ label, children }: { label: string; children: string }) {
  return (
    <>
      <dt className="text-quiet">{label}</dt>
      <dd className="tabular min-w-0 wrap-anywhere">{children}</dd>
    </>
  )
}

/** Only the server knows whether two-factor login is on: it asks for the code if it is missing. */
function useWithdrawal(transaction: Transaction) {
  const texts = useWithdrawalTexts()
  const queries = useQueryClient()
  const { callAs } = useSession()
  const [asksForCode, setAsksForCode] = useState(false)
  const form = useForm({
    schema: z.object({
      password: z.string().check(z.minLength(1, { error: texts.passwordMissing })),
      code: z.string(),
    }),
    initial: { password: '', code: '' },
    async onSubmit({ password, code }) {
      const withdrawn = await callAs(transactionsContract.withdrawTransaction, {
        params: { id: transaction.id },
        body: { password, ...(asksForCode && { code: code.replace(/\s/g, '') }) },
      })
      applyTransaction(queries, withdrawn)
      toast.success(texts.done)
    },
    onFault(error) {
      const field = fieldOf(error, texts)
      if (field === null) return toast.failed(error, texts.failed)
      if (field.name === 'code') setAsksForCode(true)
      form.refuse(field.name, field.message)
    },
  })
  return { form, asksForCode }
}

/** The field that the server has refused; null if it is none of them. */
function fieldOf(
  error: unknown,
  texts: { wrongPassword: string; wrongCode: string; codeMissing: string },
): { name: 'password' | 'code'; message: string } | null {
  if (!(error instanceof CallError)) return null
  if (error.reason === 'WrongPassword') return { name: 'password', message: texts.wrongPassword }
  if (error.reason === 'WrongCode') return { name: 'code', message: texts.wrongCode }
  const faults = error.reason === 'InvalidInput' ? error.errors : []
  const isCode = faults.some(({ path }) => path === 'code')
  return isCode ? { name: 'code', message: texts.codeMissing } : null
}
