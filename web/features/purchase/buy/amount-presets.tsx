import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import type { StageBonuses } from '#contract/shapes.ts'
import { formatNumber, formatUsd } from '#web/lib/format/format.ts'
import { useTokenPickerTexts } from '#web/messages/use-token-picker-texts.ts'

interface AmountPresetsProps {
  tiers: StageBonuses['tiered_fiat']
  /** The amount in the field, to show which preset it is. */
  value: string
  onChoose: (amount: string) => void
  /** What is special about the button of an amount, such as that it cannot be chosen. */
  propsOf?: (amount: number) => ComponentProps<'button'>
}

/** How far each key moves along the presets; `Home` and `End` go to either end. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  Home: -Infinity,
  End: Infinity,
}

/**
 * Shortcuts to the amounts from which a tier of the amount bonus is granted. They are one stop for
 * the Tab key; arrow keys move along them without changing the amount.
 */
export function AmountPresets({ tiers, value, onChoose, propsOf }: AmountPresetsProps) {
  const tokenPicker = useTokenPickerTexts()
  const [visited, setVisited] = useState<number | null>(null)
  if (tiers.length === 0) return null
  const last = tiers.length - 1
  const chosen = tiers.findIndex((tier) => Number(value) === tier.amount)
  const stop = Math.min(visited ?? Math.max(0, chosen), last)

  function move(event: KeyboardEvent<HTMLElement>) {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const to = Math.min(last, Math.max(0, stop + step))
    setVisited(to)
    const button = event.currentTarget.parentElement?.children[to]
    if (button instanceof HTMLElement) button.focus()
  }

  return (
    <div role="toolbar" aria-label={tokenPicker.presets} className="flex flex-wrap gap-2">
      {tiers.map((tier, index) => (
        <button
          key={tier.amount}
          type="button"
          tabIndex={index === stop ? 0 : -1}
          aria-pressed={index === chosen}
          onFocus={() => setVisited(index)}
          onBlur={() => setVisited(null)}
          onKeyDown={move}
          onClick={() => onChoose(String(tier.amount))}
          className="flex min-h-14 grow basis-22 flex-col items-center justify-center rounded-control border border-hairline text-14 font-medium transition-colors hover:border-edge aria-pressed:border-accent aria-pressed:bg-raised forced-colors:aria-pressed:border-4"
          {...propsOf?.(tier.amount)}
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
