import { useState, type FormEvent } from 'react'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { networkName } from '#domain/chains/chain.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { formatExact } from '#web/lib/format/format.ts'
import { useRefundClaimTexts } from '#web/messages/use-refund-claim-texts.ts'
import { Button, Spinner } from '#web/ui/actions.tsx'
import { AddressText, addressGroups } from '#web/ui/address-text.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Figure, LabelledLine } from '#web/ui/layout/card.tsx'
import { type AddressCheck, useAddressCheck } from './address-check.ts'
import { inCoin, isZero, paysOf } from './claim-amounts.ts'
import type { OwedCoins } from './refund-queries.ts'
import { StepHeading } from './step-heading.tsx'

interface WhereStepProps {
  owed: OwedCoins
  typed: string
  onTyped: (typed: string) => void
  /** Gets the address as its chain writes it. */
  onDone: (address: string) => void
}

/** The amount, and the address that is to receive it, checked while it is typed. */
export function WhereStep({ owed, typed, onTyped, onDone }: WhereStepProps) {
  const texts = useRefundClaimTexts()
  const { payment_token: token, chain } = owed
  const { short_name: symbol } = token
  const network = networkName(token)
  const words = { symbol, network }
  const { shown, check } = useAddressCheck({ payment_token_id: token.id, chain }, typed)
  const [isBusy, setBusy] = useState(false)
  const [isAsked, setAsked] = useState(false)

  async function goOn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const field = event.currentTarget.querySelector('input')
    setBusy(true)
    const result = await check()
    setBusy(false)
    setAsked(true)
    // What was typed meanwhile has not been checked: its own check shows below it.
    if (result.state === 'right' && field?.value === typed) onDone(result.address)
    else field?.focus()
  }

  return (
    <>
      <StepHeading>{texts.amount.heading}</StepHeading>
      <Amounts owed={owed} />
      <form noValidate onSubmit={(event) => void goOn(event)} className="flex flex-col gap-4">
        <p className="flex items-start gap-2 rounded-control bg-warning/14 p-3 text-14">
          <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warning" />
          <span>{texts.address.warning(symbol, network)}</span>
        </p>
        <div className="flex flex-col gap-1">
          <TextField
            label={texts.address.label(symbol, network)}
            error={faultOf(texts.address, shown, isAsked, words)}
            keepsErrorLine={false}
            value={typed}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono text-14"
            onChange={(event) => {
              setAsked(false)
              onTyped(event.currentTarget.value)
            }}
          />
          <div role="status" className="min-h-[3lh] text-14">
            {shown.state === 'empty' && !isAsked ? (
              <span className="text-quiet">{texts.address.hint}</span>
            ) : (
              <Shown check={shown} network={network} />
            )}
          </div>
        </div>
        <Button type="submit" isBusy={isBusy} isFullWidth>
          {texts.goOn}
        </Button>
      </form>
    </>
  )
}

/** What is owed in the coin, for which purchases, the network's fee, and what is left. */
function Amounts({ owed }: { owed: OwedCoins }) {
  const { amount: texts } = useRefundClaimTexts()
  const { payment_token: token, transactions } = owed
  const isOfSeveral = transactions.length > 1
  const pays = paysOf(owed, token)
  return (
    <div className="flex flex-col gap-2">
      <Figure
        value={formatExact(pays)}
        unit={token.short_name}
        label={texts.arrives}
        size="medium"
      />
      {isOfSeveral && <p className="text-14">{texts.from(token.short_name, networkName(token))}</p>}
      <dl className="flex flex-col divide-y divide-hairline border-y border-hairline">
        {isOfSeveral &&
          transactions.map(({ transaction_id: id, amount }, nth) => (
            <LabelledLine key={`${id} ${nth}`} label={texts.purchase(purchaseNumber(id))}>
              {inCoin(amount, token)}
            </LabelledLine>
          ))}
        <LabelledLine label={isOfSeveral ? texts.inAll : texts.owed} isStrong={isOfSeveral}>
          {inCoin(owed.amount, token)}
        </LabelledLine>
        <LabelledLine label={texts.fee}>
          {isZero(owed.fee) ? texts.feeIsOurs : `− ${inCoin(owed.fee, token)}`}
        </LabelledLine>
      </dl>
      {!isZero(owed.fee) && <p className="text-14 text-quiet">{texts.feeWhy}</p>}
    </div>
  )
}

function faultOf(
  texts: ReturnType<typeof useRefundClaimTexts>['address'],
  check: AddressCheck,
  isAsked: boolean,
  words: { symbol: string; network: string },
): string | undefined {
  if (check.state === 'wrong') return texts.faults[check.why](words)
  if (check.state === 'failed') return texts.failed
  return check.state === 'empty' && isAsked ? texts.required : undefined
}

/** Confirms that the address is valid, and repeats its end, which people compare. */
function Shown({ check, network }: { check: AddressCheck; network: string }) {
  const { address: texts } = useRefundClaimTexts()
  if (check.state === 'checking') {
    return (
      <span className="flex items-center gap-2 text-quiet">
        <Spinner size={16} />
        {texts.checking}
      </span>
    )
  }
  if (check.state !== 'right') return null
  const end = addressGroups(check.address).groups.at(-1)?.text ?? check.address
  return (
    <span className="flex flex-col gap-1">
      <span className="flex items-start gap-2">
        {check.isChecked ? (
          <CircleCheck size={16} className="mt-0.5 shrink-0 text-success" />
        ) : (
          <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warning" />
        )}
        <span>
          {check.isChecked ? texts.right(network) : texts.unchecked(network)} {texts.ends}{' '}
          <span className="font-mono font-strong">{end}</span>. {texts.compare}
        </span>
      </span>
      <AddressText value={check.address} />
    </span>
  )
}
