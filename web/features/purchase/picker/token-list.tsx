import { Check, Search } from 'lucide-react'
import {
  Autocomplete,
  Input,
  ListBox,
  ListBoxItem,
  SearchField,
  useFilter,
} from 'react-aria-components'
import type { PaymentToken, Stage } from '#contract/shapes.ts'
import { chainNames, networkName } from '#domain/chains/chain.ts'
import { formatNumber, formatUsd } from '#web/lib/format/format.ts'
import { TokenIcon } from './token-icon.tsx'
import { useTokenPickerTexts } from '#web/messages/use-token-picker-texts.ts'

interface TokenListProps {
  tokens: PaymentToken[]
  stage: Stage | undefined
  value: string | null
  onChoose: (tokenId: string) => void
}

export function TokenList({ tokens, stage, value, onChoose }: TokenListProps) {
  const tokenPicker = useTokenPickerTexts()
  const { contains } = useFilter({ sensitivity: 'base' })
  const hasEachWord = (text: string, typed: string) =>
    typed.split(' ').every((word) => contains(text, word))
  return (
    <Autocomplete filter={hasEachWord}>
      <SearchField
        aria-label={tokenPicker.search}
        className="flex items-center gap-2 rounded-control border border-edge bg-raised px-3 has-focus-visible:border-accent has-focus-visible:outline-2 has-focus-visible:-outline-offset-1 has-focus-visible:outline-accent"
      >
        <Search size={16} className="shrink-0 text-quiet" />
        {/* The input's own focus comes with the list; the field's would come a frame or a
            transition later. */}
        <Input
          autoFocus
          placeholder={tokenPicker.search}
          className="min-h-11 w-full bg-transparent text-16 outline-none placeholder:text-quiet [&::-webkit-search-cancel-button]:hidden"
        />
      </SearchField>
      <ListBox
        aria-label={tokenPicker.list}
        selectionMode="single"
        selectedKeys={value === null ? [] : [value]}
        disallowEmptySelection
        onSelectionChange={([key]) => onChoose(String(key))}
        renderEmptyState={() => <p className="p-3 text-quiet">{tokenPicker.nothingFound}</p>}
        className="-mx-2 outline-none sm:min-h-96"
      >
        {tokens.map((token) => (
          <TokenOption
            key={token.id}
            token={token}
            least={leastOf(token, stage)}
            percentage={
              stage?.bonuses.payment_tokens.find((bonus) => bonus.token_id === token.id)?.percentage
            }
          />
        ))}
      </ListBox>
    </Autocomplete>
  )
}

function leastOf(token: PaymentToken, stage: Stage | undefined): number | null {
  const least = Math.max(token.min_amount_fiat, stage?.min_fiat_amount ?? 0)
  if (stage === undefined) return least
  return (stage.total_tokens - stage.sold_tokens) * stage.token_price < least ? null : least
}

interface TokenOptionProps {
  token: PaymentToken
  /** The fewest dollars that can be spent in it; null where less is left of the stage. */
  least: number | null
  percentage: number | undefined
}

function TokenOption({ token, least, percentage }: TokenOptionProps) {
  const tokenPicker = useTokenPickerTexts()
  return (
    <ListBoxItem
      id={token.id}
      textValue={[token.name, token.short_name, ...chainNames(token.chain)].join(' ')}
      className="flex min-h-14 cursor-pointer items-center gap-3 rounded-control px-2 outline-none data-focused:bg-raised data-hovered:bg-raised"
    >
      {({ isSelected }) => (
        <>
          <TokenIcon symbol={token.short_name} size={32} />
          <span className="flex min-w-0 flex-1 flex-col">
            <span className="truncate font-medium">{token.name}</span>
            <span className="text-14 text-quiet">
              {token.short_name} {tokenPicker.on(networkName(token))}
            </span>
          </span>
          <span className="tabular flex shrink-0 flex-col items-end text-14 whitespace-nowrap">
            {percentage !== undefined && (
              <span className="text-accent">
                {tokenPicker.bonus(formatNumber(percentage))} {tokenPicker.bonusWord}
              </span>
            )}
            {least !== null && (
              <span className="text-quiet">{tokenPicker.from(formatUsd(least))}</span>
            )}
          </span>
          <Check size={16} className={isSelected ? '' : 'invisible'} />
        </>
      )}
    </ListBoxItem>
  )
}
