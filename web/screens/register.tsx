import { useState } from 'react'
import { RegisterForm } from '#web/features/account/sign-in/register-form.tsx'
import { useProject } from '#web/features/project/queries.ts'
import { AmountPresets } from '#web/features/purchase/buy/amount-presets.tsx'
import { TokenPicker } from '#web/features/purchase/picker/token-picker.tsx'
import { useSale, useSaleStatus } from '#web/features/stage/queries.ts'
import { buyPath, searches, useSearch } from '#web/lib/paths.ts'
import { FormPage } from './form-page.tsx'
import { SaleAside } from './sale-aside.tsx'
import { useAccountPageTexts } from '#web/messages/use-account-page-texts.ts'

/**
 * Always the same element: otherwise the form would render it again before its code is loaded, and
 * remove what the server sent.
 */
const aside = <SaleAside />

export function RegisterScreen() {
  const { register } = useAccountPageTexts()
  const { referral } = useSearch(searches.register)
  const tokens = useProject()?.payment_tokens ?? []
  const sale = useSale().data
  const isSaleOver = useSaleStatus() === 'ENDED'
  const stage = sale?.status === 'ACTIVE' ? sale.stage : undefined
  const [chosenId, setChosenId] = useState<string | null>(null)
  const token = tokens.find(({ id }) => id === chosenId) ?? tokens[0]
  return (
    <FormPage heading={register.heading} width="medium" aside={aside}>
      <RegisterForm
        referredBy={referral}
        isSaleOver={isSaleOver}
        currencyPicker={
          <TokenPicker
            label={register.paymentCurrency}
            tokens={tokens}
            stage={stage}
            chosen={token}
            onChange={setChosenId}
          />
        }
        renderAmountPresets={(amount, choose) => (
          <AmountPresets
            tiers={stage?.bonuses.tiered_fiat ?? []}
            value={amount}
            onChoose={choose}
          />
        )}
        landing={(usdAmount) =>
          buyPath({ usd_amount: usdAmount, ...(token !== undefined && { token_id: token.id }) })
        }
      />
    </FormPage>
  )
}
