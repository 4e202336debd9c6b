import { useState } from 'react'
import { ChevronDown } from 'lucide-react'
import type { PaymentToken, Stage } from '#contract/shapes.ts'
import { networkName } from '#domain/chains/chain.ts'
import { formatNumber } from '#web/lib/format/format.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Dialog, loadDialog, preloadDialog } from '#web/ui/layout/dialog.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { TokenIcon } from './token-icon.tsx'
import { useTokenPickerTexts } from '#web/messages/use-token-picker-texts.ts'

const TokenList = lazyComponent(() => import('./token-list.tsx'), 'TokenList')

interface TokenPickerProps {
  label: string
  tokens: PaymentToken[]
  /** The one on sale, if any. */
  stage: Stage | undefined
  /** The chosen one, which may be none of `tokens` any more; undefined while they are loading. */
  chosen: PaymentToken | undefined
  onChange: (tokenId: string) => void
}

/**
 * The chosen payment token as a button, which opens a list searchable by name, chain and symbol.
 * If its code cannot be fetched, it says so, and what was typed on the page stays.
 */
export function TokenPicker({ label, tokens, stage, chosen, onChange }: TokenPickerProps) {
  const { isOpen, setOpen, isLoading, open } = useOpening()
  const tokenPicker = useTokenPickerTexts()
  const bonus = stage?.bonuses.payment_tokens.find((entry) => entry.token_id === chosen?.id)
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span aria-hidden="true" className="text-14 font-medium">
        {label}
      </span>
      {chosen === undefined ? (
        <Skeleton className="h-11" />
      ) : (
        <button
          type="button"
          aria-haspopup="dialog"
          aria-busy={isLoading}
          onPointerEnter={preload}
          onFocus={preload}
          onClick={() => void open()}
          className={classNames(
            'flex min-h-11 w-full items-center gap-3 rounded-control border border-edge bg-raised px-3 text-left transition-colors hover:border-quiet',
            isLoading && 'opacity-60',
          )}
        >
          <span className="sr-only">{label}</span>
          <TokenIcon symbol={chosen.short_name} />
          <span className="min-w-0 flex-1 py-1 leading-tight">
            <span className="font-medium">{chosen.short_name}</span>{' '}
            <span className="inline-block text-14 wrap-anywhere text-quiet">
              {tokenPicker.on(networkName(chosen))}
            </span>
          </span>
          {bonus !== undefined && (
            <span className="tabular text-14 text-accent">
              {tokenPicker.bonus(formatNumber(bonus.percentage))}
              <span className="sr-only"> {tokenPicker.bonusWord}</span>
            </span>
          )}
          <ChevronDown size={16} className="shrink-0 text-quiet" />
        </button>
      )}
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={tokenPicker.title}>
        <TokenList
          tokens={tokens}
          stage={stage}
          value={chosen?.id ?? null}
          onChoose={(tokenId) => {
            onChange(tokenId)
            setOpen(false)
          }}
        />
      </Dialog>
    </div>
  )
}

function preload() {
  preloadDialog()
  TokenList.preload()
}

/** The list opens once its code is there. */
function useOpening() {
  const [isOpen, setOpen] = useState(false)
  const [isLoading, setLoading] = useState(false)
  const { layout } = useMessages()
  async function open() {
    const pressed = document.activeElement
    setLoading(true)
    const parts = await Promise.all([loadDialog(), TokenList.load()])
    setLoading(false)
    if (parts.includes(false)) toast.error(layout.partFailed)
    // Whoever types elsewhere by now would go on typing into the list.
    else if (document.activeElement === pressed) setOpen(true)
  }
  return { isOpen, setOpen, isLoading, open }
}
