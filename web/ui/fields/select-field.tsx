import type { ReactNode } from 'react'
import { Check, ChevronDown, Search } from 'lucide-react'
import {
  Autocomplete,
  Button,
  Header,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Popover,
  SearchField,
  Select,
  SelectValue,
  Text,
  useFilter,
} from 'react-aria-components'
import { useMessages } from '#web/messages/use-messages.ts'
import { classNames } from '#web/ui/style/class-names.ts'
import { FieldError } from './text-field.tsx'
import { OptionText } from './option-text.tsx'

export interface SelectOption {
  id: string
  label: string
  icon?: ReactNode
  /** Quiet text at the right, such as a dial code or a bonus. */
  detail?: ReactNode
  /** What a search looks in, beside the label. */
  keywords?: string
}

export interface SelectProps {
  label: string
  /** The options, requested once the list can be opened. */
  groups: () => { title: string; options: SelectOption[] }[]
  value: string | null
  /** The choice, as the closed field shows it. */
  shown: ReactNode
  onChange: (id: string) => void
  onBlur?: () => void
  placeholder?: string
  error?: string | undefined
  /** The browser's name for the field, for autofill. */
  autoComplete?: string
  name?: string
}

export interface SelectFieldProps extends SelectProps {
  /** It replaces a button that had the focus. */
  autoFocus: boolean
  /** That button was pressed. */
  defaultOpen: boolean
}

/** The select once it is in use; use `Select`, which then fetches this. */
export function SelectField(props: SelectFieldProps) {
  const { label, value, onChange, placeholder, error } = props
  const { ui } = useMessages()
  const hasError = error !== undefined
  return (
    <Select
      value={value}
      onChange={(id) => typeof id === 'string' && onChange(id)}
      onOpenChange={(isOpen) => !isOpen && props.onBlur?.()}
      autoFocus={props.autoFocus}
      defaultOpen={props.defaultOpen}
      isInvalid={hasError}
      validationBehavior="aria"
      placeholder={placeholder ?? ui.choose}
      {...(props.autoComplete !== undefined && { autoComplete: props.autoComplete })}
      {...(props.name !== undefined && { name: props.name })}
      className="flex min-w-0 flex-col gap-1"
    >
      <Label className="text-14 font-medium">{label}</Label>
      <Button
        className={classNames(
          'flex min-h-11 w-full items-center gap-2 rounded-control border bg-raised px-3 text-left',
          'transition-colors',
          hasError ? 'border-error' : 'border-edge hover:border-quiet',
        )}
      >
        <SelectValue className="min-w-0 flex-1 truncate data-placeholder:text-quiet">
          {() => (value === null ? (placeholder ?? ui.choose) : props.shown)}
        </SelectValue>
        <ChevronDown size={16} className="shrink-0 text-quiet" />
      </Button>
      <Text slot="errorMessage" elementType="div">
        <FieldError id={`${props.name ?? label}-error`} error={error} />
      </Text>
      <Options groups={props.groups} />
    </Select>
  )
}

function Options({ groups }: Pick<SelectProps, 'groups'>) {
  const { ui } = useMessages()
  const { startsWith } = useFilter({ sensitivity: 'base' })
  return (
    <Popover className="flex max-h-80 w-(--trigger-width) min-w-[min(20rem,100vw-2rem)] animate-appear flex-col rounded-card border border-edge bg-surface">
      <Autocomplete
        filter={(text, typed) => wordStarts(text).some((rest) => startsWith(rest, typed))}
      >
        <SearchField
          aria-label={ui.search}
          autoFocus
          className="flex items-center gap-2 border-b border-hairline px-3"
        >
          <Search size={16} className="shrink-0 text-quiet" />
          <Input
            placeholder={ui.search}
            className="min-h-11 w-full bg-transparent text-16 outline-none placeholder:text-quiet"
          />
        </SearchField>
        <ListBox
          className="min-h-0 flex-1 overflow-y-auto p-1 outline-none"
          renderEmptyState={() => <p className="p-3 text-quiet">{ui.nothingFound}</p>}
        >
          {groups().map(({ title, options }) => (
            <ListBoxSection
              key={title}
              id={title}
              aria-label={title}
              className="[&:not(:first-child)]:mt-1 [&:not(:first-child)]:border-t [&:not(:first-child)]:border-hairline [&:not(:first-child)]:pt-1"
            >
              <Header className="px-3 py-1 text-12 text-quiet">{title}</Header>
              {options.map((option) => (
                <Option key={option.id} option={option} />
              ))}
            </ListBoxSection>
          ))}
        </ListBox>
      </Autocomplete>
    </Popover>
  )
}

/** The text from the start of each of its words, so that 'ger' finds Germany and not Algeria. */
function wordStarts(text: string): string[] {
  return [...text.matchAll(/[^\s(]+/g)].map((word) => text.slice(word.index))
}

function Option({ option }: { option: SelectOption }) {
  return (
    <ListBoxItem
      id={option.id}
      textValue={[option.label, option.keywords].filter(Boolean).join(' ')}
      className="flex min-h-11 cursor-default items-center gap-3 rounded-control px-3 outline-none data-focused:bg-raised"
    >
      {({ isSelected }) => (
        <>
          <OptionText icon={option.icon} label={option.label} />
          <span className="ml-auto flex shrink-0 items-center gap-2 text-14 text-quiet">
            {option.detail}
            <Check size={16} className={isSelected ? '' : 'invisible'} />
          </span>
        </>
      )}
    </ListBoxItem>
  )
}
