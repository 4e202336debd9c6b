import { TriangleAlert } from 'lucide-react'
import { LAST_CHARACTERS } from '#domain/delivery/wallet.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useReceivingWalletTexts } from '#web/messages/use-receiving-wallet-texts.ts'
import { Button } from '#web/ui/actions.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import * as z from 'zod/mini'

export interface PastedAddress {
  address: string
  lastCharacters: string
}

interface PasteStepProps {
  onDone: (pasted: PastedAddress) => void
  /** Left out if there is no other way. */
  onBack?: (() => void) | undefined
}

const plainText = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  className: 'font-mono text-14',
} as const

/** An address typed or pasted, with the necessary precautions. */
export function PasteStep({ onDone, onBack }: PasteStepProps) {
  const { dialog: texts } = useReceivingWalletTexts()
  const form = useForm({
    schema: z
      .object({
        address: z.string().check(z.trim(), z.regex(/^0x[0-9a-f]{40}$/i, texts.addressFault)),
        last: z.string(),
        isNoExchange: z.boolean().check(z.refine(Boolean, texts.mustConfirm)),
      })
      .check(
        z.refine(({ address, last }) => isEnd(address, last), {
          path: ['last'],
          error: texts.lastFault,
          when: () => true,
        }),
      ),
    initial: { address: '', last: '', isNoExchange: false },
    async onSubmit({ address, last }) {
      onDone({ address: address.trim(), lastCharacters: last.trim() })
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-2">
      <p className="flex items-start gap-2 rounded-control bg-warning/14 p-3 text-14">
        <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warning" />
        <span>{texts.exchange}</span>
      </p>
      <TextField {...form.text('address')} {...plainText} label={texts.address} maxLength={200} />
      <TextField
        {...form.text('last')}
        {...plainText}
        label={texts.last}
        hint={texts.lastHint}
        maxLength={LAST_CHARACTERS}
      />
      <Checkbox {...form.checkbox('isNoExchange')} label={texts.isNoExchange} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" className="flex-1">
          {texts.goOn}
        </Button>
        {onBack !== undefined && (
          <Button variant="quiet" onClick={onBack}>
            {texts.back}
          </Button>
        )}
      </div>
    </form>
  )
}

function isEnd(address: string, last: string): boolean {
  const end = last.trim().toLowerCase()
  return end.length === LAST_CHARACTERS && address.trim().toLowerCase().endsWith(end)
}
