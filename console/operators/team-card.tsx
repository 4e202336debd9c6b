import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedOperator } from '#contract/operator/team.ts'
import { Email, Time } from '#console/kit/values.tsx'
import { Loaded } from '#console/kit/loaded.tsx'
import { type Column, Table } from '#console/kit/table.tsx'
import { useSelf } from '#console/session/self.ts'
import { SmallButton } from '#web/ui/actions.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PersonDialog } from './person-dialog.tsx'
import { teamQuery } from './queries.ts'

/** Everybody who runs the sale; owners change the others here. */
export function TeamCard({ mayManage }: { mayManage: boolean }) {
  const query = useQuery(teamQuery)
  const { id: ownId } = useSelf()
  const [chosen, setChosen] = useState<ListedOperator | null>(null)
  const columns = mayManage ? [...facts, changing(ownId, setChosen)] : facts
  return (
    <Card title="Team">
      <Loaded query={query} what="The team" skeleton={<Skeleton className="h-44 max-md:h-128" />}>
        {({ data }) => <Table label="Team" columns={columns} rows={data} keyOf={({ id }) => id} />}
      </Loaded>
      {chosen !== null && <PersonDialog person={chosen} onClose={() => setChosen(null)} />}
    </Card>
  )
}

const facts: readonly Column<ListedOperator>[] = [
  { header: 'Name', isTitle: true, cell: (person) => <Name person={person} /> },
  { header: 'Email', from: 'lg', cell: ({ email }) => <Email address={email} /> },
  { header: 'Role', cell: ({ role }) => <span className="whitespace-nowrap">{role}</span> },
  { header: 'Second factor', cell: (person) => <Factors person={person} /> },
  {
    header: 'Last seen',
    from: 'md',
    cell: ({ last_seen_date: seen }) => <Time value={seen} none="never" as="age" />,
  },
]

/** Nobody can change themselves. */
const changing = (
  ownId: string,
  onChange: (person: ListedOperator) => void,
): Column<ListedOperator> => ({
  header: 'Change',
  isAct: true,
  isNumber: true,
  cell: (person) =>
    person.id !== ownId && (
      <SmallButton aria-label={`Change ${person.name}`} onClick={() => onChange(person)}>
        Change
      </SmallButton>
    ),
})

function Name({ person: { id, name } }: { person: ListedOperator }) {
  const self = useSelf()
  return (
    <span className="font-medium">
      {name}
      {id === self.id && <span className="font-normal text-quiet"> (you)</span>}
    </span>
  )
}

function Factors({ person: { passkeys, has_authenticator: hasApp } }: { person: ListedOperator }) {
  const words = [
    ...(passkeys > 0 ? [passkeys === 1 ? 'a passkey' : `${passkeys} passkeys`] : []),
    ...(hasApp ? ['an app'] : []),
  ]
  if (words.length === 0) return <Chip tone="warning">None: cannot sign in</Chip>
  return words.join(' and ')
}
