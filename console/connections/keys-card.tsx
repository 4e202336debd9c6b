import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type ApiKey, connectionsContract } from '#contract/operator/connections.ts'
import { permissionTexts } from '#domain/operators/permissions.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { Loaded } from '#console/kit/loaded.tsx'
import { type Column, Table } from '#console/kit/table.tsx'
import { Time } from '#console/kit/values.tsx'
import { callQuery } from '#web/lib/api/queries.ts'
import { Button, SmallButton } from '#web/ui/actions.tsx'
import { EmptyState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { inTable } from './in-table.ts'
import { KeyDialog } from './key-dialog.tsx'
import { KeyState } from './state-chip.tsx'

export function KeysCard() {
  const [isMaking, setMaking] = useState(false)
  const [ending, setEnding] = useState<ApiKey | null>(null)
  const query = useQuery(callQuery(['operator', 'keys'], connectionsContract.listKeys, {}))
  return (
    <Card
      title="API keys"
      aside={<SmallButton onClick={() => setMaking(true)}>Make a key</SmallButton>}
    >
      <Loaded query={query} what="The keys" skeleton={<Skeleton className="h-24" />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={<KeyRound />} title="No key yet">
              A key lets other software make those calls of this console that you allow it.
            </EmptyState>
          ) : (
            <Table
              label="API keys"
              columns={columnsOf(setEnding)}
              rows={data}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
      {isMaking && <KeyDialog onClose={() => setMaking(false)} />}
      {ending !== null && (
        <ActDialog
          title={`End the key ${ending.name}`}
          confirm="End it"
          isDangerous
          endpoint={connectionsContract.endKey}
          input={() => ({ params: { id: ending.id } })}
          done="The key has ended."
          onClose={() => setEnding(null)}
        >
          <p>Anything that uses it is refused from now on. This cannot be undone.</p>
        </ActDialog>
      )}
    </Card>
  )
}

const columnsOf = (onEnd: (key: ApiKey) => void): Column<ApiKey>[] => [
  {
    header: 'Key',
    isTitle: true,
    cell: ({ name, prefix }) => (
      <span className="flex flex-col">
        <span className="font-medium">{name}</span>
        <code className="text-12 text-quiet">{prefix}…</code>
      </span>
    ),
  },
  { header: 'State', cell: (key) => <KeyState state={key.state} /> },
  { header: 'May', from: 'lg', cell: ({ permissions }) => <Permissions of={permissions} /> },
  {
    header: 'Last used',
    cell: ({ last_used_date: date }) => <Time value={date} none="Never" as="age" />,
  },
  {
    header: 'Ends',
    cell: ({ ended_date: ended, expires_date: expires }) => (
      <Time value={ended ?? expires} as="day" />
    ),
  },
  { header: 'Made by', from: 'xl', cell: (key) => key.made_by ?? 'The server’s token' },
  {
    header: 'Act',
    isAct: true,
    cell: (key) =>
      key.state === 'active' && (
        <Button variant="quiet" size="small" onClick={() => onEnd(key)} className={inTable}>
          End<span className="sr-only"> the key {key.name}</span>
        </Button>
      ),
  },
]

const SHOWN_MAX = 2

function Permissions({ of: all }: { of: ApiKey['permissions'] }) {
  const shown = all.slice(0, SHOWN_MAX).map((each) => permissionTexts[each])
  const more = all.length - shown.length
  return (
    <span title={all.map((each) => permissionTexts[each]).join(', ')}>
      {shown.join(', ')}
      {more > 0 && ` and ${more} more`}
    </span>
  )
}
