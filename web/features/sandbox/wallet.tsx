import { type FormEvent, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { sandboxContract } from '#contract/sandbox.ts'
import { call } from '#web/lib/api/call.ts'
import { useSandboxTexts } from '#web/messages/use-sandbox-texts.ts'
import { Button } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { AmountField } from '#web/ui/fields/amount-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { scaleAmount } from './scale-amount.ts'

/** The most decimals that a payment token has. */
const DECIMALS_MOST = 18

interface WalletProps {
  addressAtFirst: string
  amountAtFirst: string
}

/** Plays the payer's wallet: sends what is due, or too little, or too much. */
export function Wallet({ addressAtFirst, amountAtFirst }: WalletProps) {
  const { wallet } = useSandboxTexts()
  const [address, setAddress] = useState(addressAtFirst)
  const [amount, setAmount] = useState(amountAtFirst)
  const [isTouched, setTouched] = useState(false)
  const pay = useMutation({
    mutationFn: (sent: string) =>
      call(sandboxContract.pay, { body: { address: address.trim(), amount: sent } }),
    onSuccess: (_, sent) => toast.success(wallet.sent(sent)),
    onError: (error) => toast.failed(error, wallet.failed),
  })

  function send(numerator: bigint, denominator: bigint) {
    setTouched(true)
    const sent = scaleAmount(amount.replace(/\.$/, ''), numerator, denominator)
    if (address.trim() !== '' && sent !== null) pay.mutate(sent)
  }

  function sendAll(event: FormEvent) {
    event.preventDefault()
    send(1n, 1n)
  }

  const hasAddress = address.trim() !== ''
  const hasAmount = scaleAmount(amount.replace(/\.$/, ''), 1n, 1n) !== null
  return (
    <Card title={wallet.title}>
      <form noValidate onSubmit={sendAll} className="flex flex-col gap-4">
        <TextField
          label={wallet.address}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
          hint={wallet.addressHint}
          keepsErrorLine={false}
          error={isTouched && !hasAddress ? wallet.addressMissing : undefined}
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-14"
        />
        <AmountField
          label={wallet.amount}
          decimals={DECIMALS_MOST}
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
          hint={wallet.amountHint}
          keepsErrorLine={false}
          error={isTouched && !hasAmount ? wallet.amountMissing : undefined}
        />
        <div className="flex flex-wrap gap-2 [&>*]:grow [&>*]:whitespace-nowrap sm:[&>*]:grow-0">
          <Button type="submit" isBusy={pay.isPending} className="max-sm:basis-full">
            {wallet.all}
          </Button>
          <Button variant="secondary" disabled={pay.isPending} onClick={() => send(1n, 2n)}>
            {wallet.less}
          </Button>
          <Button variant="secondary" disabled={pay.isPending} onClick={() => send(2n, 1n)}>
            {wallet.more}
          </Button>
        </div>
      </form>
    </Card>
  )
}
