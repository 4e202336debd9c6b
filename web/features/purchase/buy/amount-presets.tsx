import type { StageBonuses } from '#contract/shapes.ts'
import { formatNumber, formatUsd } from '#web/lib/format/format.ts'
import { useMessages } from '#web/messages/use-messages.ts'

interface AmountPresetsProps {
  tiers: StageBonuses['tiered_fiat']
  /** The amount in the field, to show which preset it is. */
  value: string
  onChoose: (amount: string) => void
}

/** Shortcuts to the amounts from which a tier of the amount bonus is granted. */
export function AmountPresets({ tiers, value, onChoose }: AmountPresetsProps) {
  const { tokenPicker } = useMessages()
  if (tiers.length === 0) return null
  return (
    <div role="group" aria-label={tokenPicker.presets} className="flex flex-wrap gap-2">
      {tiers.map((tier) => (
        <button
          key={tier.amount}
          type="button"
          aria-pressed={Number(value) === tier.amount}
          onClick={() => onChoose(String(tier.amount))}
          className="flex min-h-14 flex-1 basis-22 flex-col items-center justify-center rounded-control border border-hairline text-14 font-medium transition-colors hover:border-edge aria-pressed:border-accent aria-pressed:bg-raised"
        >
          <span className="tabular">{formatUsd(tier.amount)}</span>
          <span className="tabular text-accent">
            {tokenPicker.bonus(formatNumber(tier.percentage))}
            <span className="sr-only"> {tokenPicker.bonusWord}</span>
          </span>
        </button>
      ))}
    </div>
  )
}
