import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type ApiKey, connectionsContract } from '#contract/operator/connections.ts'
import { permissionTexts, keyPermissions, type Permission } from '#domain/operators/permissions.ts'
import { ActDialog, useFields } from '#console/kit/act-dialog.tsx'
import { Loaded } from '#console/kit/loaded.tsx'
import { type Column, Table } from '#console/kit/table.tsx'
import { Time } from '#console/kit/values.tsx'
import { useSelf } from '#console/session/self.ts'
import { callQuery } from '#web/lib/api/call-query.ts'
import { SmallButton } from '#web/ui/actions.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Choices } from './choices.tsx'
import { ShownOnce } from './shown-once.tsx'
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
      <Loaded query={query} what="The keys" skeleton="h-24">
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
        <SmallButton onClick={() => onEnd(key)}>
          End<span className="sr-only"> the key {key.name}</span>
        </SmallButton>
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

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
] as const
type Lifetime = (typeof lifetimes)[number]['value']

const inWords = (name: Permission) => {
  const text = permissionTexts[name]
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Makes a new key, which is shown at the end. Offers only permissions that its maker has. */
function KeyDialog({ onClose }: { onClose: () => void }) {
  const self = useSelf()
  const { valueOf, field, errorOf, refuse } = useFields({ name: '' })
  const [days, setDays] = useState<Lifetime>('90')
  const [permissions, setPermissions] = useState<readonly Permission[]>([])
  const options = keyPermissions
    .filter((each) => self.permissions.includes(each))
    .map((each) => ({ name: each, text: inWords(each) }))
  return (
    <ActDialog
      title="Make a key"
      size="wide"
      confirm="Make the key"
      endpoint={connectionsContract.createKey}
      input={() => ({
        body: { name: valueOf('name'), permissions: [...permissions], days: Number(days) },
      })}
      onRefused={refuse}
      renderResult={({ secret }) => (
        <ShownOnce label="Key" secret={secret} onClose={onClose}>
          Send it as a bearer token: <code className="text-14">Authorization: Bearer …</code>
        </ShownOnce>
      )}
      onClose={onClose}
    >
      <TextField
        label="What it is for"
        placeholder="Bookkeeping"
        maxLength={100}
        {...field('name')}
      />
      <div className="flex flex-col gap-1 pb-4">
        <span aria-hidden="true" className="text-14 font-medium">
          Lasts for
        </span>
        <Segmented label="Lasts for" options={lifetimes} value={days} onChange={setDays} />
      </div>
      <Choices
        legend="It may"
        options={options}
        chosen={permissions}
        onChange={setPermissions}
        error={errorOf('permissions')}
      />
      <p className="text-14 text-quiet">
        A key can never approve anything or let anybody in. It ends with your account, and can never
        do more than you can at the time.
      </p>
    </ActDialog>
  )
}
