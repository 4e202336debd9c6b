import { BookText, Coins, Mail, Undo2, UserRound } from 'lucide-react'
import { useState } from 'react'
import type { PurchaseRecord } from '#contract/operator/shapes.ts'
import { Time } from '#console/kit/values.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { toneIcon, toneText, toneTint } from '#web/ui/style/tone.tsx'
import { byDay, type StoryEntry, type StoryKind, storyOf } from './story.ts'
import { Transaction } from './amounts.tsx'

const views = [
  { value: 'story', label: 'Story' },
  { value: 'ledger', label: 'With the ledger' },
] as const

/** Everything that happened to a purchase, by day, newest first. */
export function TimeLine({ record }: { record: PurchaseRecord }) {
  const [view, setView] = useState<(typeof views)[number]['value']>('story')
  const entries = storyOf(record).filter(({ kind }) => view === 'ledger' || kind !== 'ledger')
  return (
    <Card
      title="What happened"
      aside={<Segmented label="What is shown" options={views} value={view} onChange={setView} />}
    >
      <div className="flex flex-col gap-6">
        {byDay(entries).map(([day, ofDay]) => (
          <section key={day} className="flex flex-col gap-3">
            <h3 className="text-14 font-medium text-quiet">
              <Time value={ofDay[0]?.date ?? day} as="day" />
            </h3>
            <ol className="flex flex-col">
              {ofDay.map((entry) => (
                <Entry key={entry.key} entry={entry} />
              ))}
            </ol>
          </section>
        ))}
      </div>
    </Card>
  )
}

function Entry({ entry }: { entry: StoryEntry }) {
  const { kind, tone, title, text, amount, transaction, date } = entry
  const isQuiet = kind === 'ledger' || kind === 'mail'
  return (
    <li
      data-kind={kind}
      className="relative grid grid-cols-[2rem_minmax(0,1fr)] gap-x-3 pb-5 last:pb-0 not-last:before:absolute not-last:before:top-8 not-last:before:bottom-0 not-last:before:left-4 not-last:before:border-l not-last:before:border-hairline"
    >
      <span
        className={classNames(
          'flex size-8 items-center justify-center rounded-pill',
          toneText[tone],
          toneTint[tone],
        )}
      >
        <KindIcon kind={kind} tone={tone} />
      </span>
      <div className="flex min-w-0 flex-col gap-1 pt-1">
        <div className="flex items-baseline justify-between gap-x-4">
          <span
            className={classNames('min-w-0 wrap-anywhere', isQuiet ? 'text-14' : 'font-medium')}
          >
            {title}
          </span>
          {amount !== undefined && (
            <data
              value={amount.exact}
              title={`${amount.exact} ${amount.unit}`}
              className={classNames(
                'tabular shrink-0 text-right',
                isQuiet ? 'text-14' : 'font-medium',
              )}
            >
              {amount.value} <span className="text-14 text-quiet">{amount.unit}</span>
            </data>
          )}
        </div>
        <div className="flex items-baseline gap-x-3 text-14 text-quiet">
          <Time value={date} as="time" />
          <span className="min-w-0 wrap-anywhere">{text}</span>
        </div>
        {transaction !== undefined && <Transaction {...transaction} />}
      </div>
    </li>
  )
}

const icons: Partial<Record<StoryKind, typeof Coins>> = {
  receipt: Coins,
  refund: Undo2,
  act: UserRound,
  mail: Mail,
  ledger: BookText,
}

function KindIcon({ kind, tone }: Pick<StoryEntry, 'kind' | 'tone'>) {
  const Icon = icons[kind]
  return Icon === undefined ? toneIcon(tone, 16) : <Icon size={16} />
}
