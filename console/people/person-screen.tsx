import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { operatorContract } from '#contract/operator/operations.ts'
import { peopleContract, type PersonRecord } from '#contract/operator/people.ts'
import type { OperatorPurchase } from '#contract/operator/shapes.ts'
import { actText } from '#domain/operators/act-text.ts'
import { byText } from '#console/audit/who-text.ts'
import { BackLink } from '#console/kit/back-link.tsx'
import { callQuery } from '#web/lib/api/call-query.ts'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { DateLine, Time } from '#console/kit/values.tsx'
import { PagedTable, usePages, type Column } from '#console/kit/table.tsx'
import { Loaded, SkeletonRows } from '#console/kit/loaded.tsx'
import { PurchaseNumber } from '#console/purchases/amounts.tsx'
import { useSaleTerms } from '#console/purchases/queries.ts'
import { Status } from '#console/purchases/status.tsx'
import { useMay } from '#console/session/self.ts'
import { formatExact, formatNumber, formatUsd } from '#web/lib/format/format.ts'
import { TextLink } from '#web/ui/actions.tsx'
import { EmptyState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Card, Figure, LabelledLine, List, ListRow } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { PersonActs } from './acts.tsx'
import { WalletCard } from './wallet-card.tsx'

/** A buyer: what they bought and referred, how they log in, and what can be done about them. */
export function PersonScreen() {
  const { id = '' } = useParams()
  const mayReadDelivery = useMay('delivery.read')
  const query = useQuery(
    callQuery(['operator', 'person', id], peopleContract.getPerson, { params: { id } }),
  )
  return (
    <>
      <BackLink to="/people">All people</BackLink>
      <PageHeading>{query.data?.name ?? 'Person'}</PageHeading>
      <Loaded query={query} what="The person" skeleton={<PersonSkeleton />}>
        {(person) => (
          <div className="grid gap-6 xl:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
            <div className="flex min-w-0 flex-col gap-6">
              <Account person={person} />
              {person.erased_date === null && <PersonActs person={person} />}
            </div>
            <div className="flex min-w-0 flex-col gap-6">
              <Bought person={person} />
              {mayReadDelivery && <WalletCard userId={person.id} />}
              <Purchases userId={person.id} />
              <Referrals person={person} />
              <Sessions person={person} />
              <Acts person={person} />
            </div>
          </div>
        )}
      </Loaded>
    </>
  )
}

function PersonSkeleton() {
  return (
    <div className="grid gap-6 xl:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
      <Skeleton className="h-96" />
      <Skeleton className="h-96" />
    </div>
  )
}

const regions = new Intl.DisplayNames('en', { type: 'region' })

const languages: Record<PersonRecord['language'], string> = { en: 'English', de: 'German' }

function Account({ person }: { person: PersonRecord }) {
  return (
    <Card title="Account">
      {person.erased_date !== null && (
        <p className="text-quiet">
          Erased <Time value={person.erased_date} />. The purchases stay.
        </p>
      )}
      <dl className="flex flex-col">
        <LabelledLine label="Email">{person.email}</LabelledLine>
        <LabelledLine label="Email verified">
          {person.is_email_verified ? 'Yes' : 'Not yet'}
        </LabelledLine>
        <LabelledLine label="Two-factor login">
          {person.two_factor_date === null ? (
            'Off'
          ) : (
            <>
              Since <Time value={person.two_factor_date} as="day" />, {person.recovery_codes_left}{' '}
              codes left
            </>
          )}
        </LabelledLine>
        <LabelledLine label="Password">
          {person.requires_password_change ? 'Must be changed' : 'As chosen'}
        </LabelledLine>
        <LabelledLine label="Telephone">{person.mobile ?? '–'}</LabelledLine>
        <LabelledLine label="Nationality">{regions.of(person.nationality)}</LabelledLine>
        <LabelledLine label="Language of mails">{languages[person.language]}</LabelledLine>
        <DateLine label="Registered" date={person.signup_date} />
        <LabelledLine label="Referred by">
          {person.referred_by === null ? (
            'Nobody'
          ) : (
            <TextLink to={`/people/${person.referred_by.id}`}>{person.referred_by.email}</TextLink>
          )}
        </LabelledLine>
      </dl>
      <CopyField label="Id" value={person.id}>
        <span className="font-mono text-14 wrap-anywhere">{person.id}</span>
      </CopyField>
    </Card>
  )
}

function Bought({ person }: { person: PersonRecord }) {
  const parts = [
    ['Bought', person.bought_tokens],
    ['As a bonus', person.bonus_tokens],
    ['From referrals', person.earned_tokens],
  ] as const
  return (
    <Card title="Total">
      <Figure
        label={`Credited, ${person.completed_purchases} of ${person.purchases} purchases`}
        value={formatUsd(person.credited_usd)}
        exact={person.credited_usd}
        size="medium"
      />
      <dl>
        {parts.map(([label, tokens]) => (
          <LabelledLine key={label} label={label}>
            <Tokens value={tokens} />
          </LabelledLine>
        ))}
      </dl>
    </Card>
  )
}

function Tokens({ value }: { value: string }) {
  const { tokenSymbol } = useSaleTerms()
  return (
    <span title={formatExact(value)}>
      {formatNumber(value)} {tokenSymbol}
    </span>
  )
}

const purchaseColumns: Column<OperatorPurchase>[] = [
  { header: 'Number', isTitle: true, cell: ({ id }) => <PurchaseNumber id={id} /> },
  { header: 'Made', cell: ({ created_date }) => <Time value={created_date} /> },
  { header: 'Status', cell: (purchase) => <Status purchase={purchase} /> },
  { header: 'Asked', isNumber: true, cell: ({ usd }) => formatUsd(usd) },
]

function Purchases({ userId }: { userId: string }) {
  const pages = usePages(
    ['operator', 'purchases', { user_id: userId }],
    operatorContract.searchPurchases,
    { query: { user_id: userId, limit: '20' } },
  )
  return (
    <Card title="Purchases">
      <PagedTable
        pages={pages}
        what="The purchases"
        skeleton={<SkeletonRows count={3} />}
        empty={<EmptyState title="No purchases yet" />}
        label="Purchases"
        columns={purchaseColumns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/purchases/${id}`}
      />
    </Card>
  )
}

function Referrals({ person }: { person: PersonRecord }) {
  const { referred, referred_count: count } = person
  if (count === 0) return null
  return (
    <Card
      title={`Referred ${count}`}
      aside={
        count > referred.length && (
          <span className="text-14 text-quiet">The newest {referred.length}</span>
        )
      }
    >
      <List label="Whom they referred">
        {referred.map(({ id, email, signup_date, reward }) => (
          <ListRow key={id} className="flex flex-wrap items-center justify-between gap-x-4">
            <span className="flex min-w-0 flex-col">
              <TextLink to={`/people/${id}`} className="wrap-anywhere">
                {email}
              </TextLink>
              <span className="text-14 text-quiet">
                <Time value={signup_date} as="day" />
              </span>
            </span>
            <span className="tabular ml-auto text-14">
              {reward === null ? (
                <span className="text-quiet">Nothing earned yet</span>
              ) : (
                <>
                  <Tokens value={reward.tokens} />
                  {reward.is_taken_back && ', taken back'}
                </>
              )}
            </span>
          </ListRow>
        ))}
      </List>
    </Card>
  )
}

function Sessions({ person: { sessions } }: { person: PersonRecord }) {
  return (
    <Card title="Logged in">
      {sessions.length === 0 ? (
        <p className="text-quiet">Nowhere.</p>
      ) : (
        <List label="Sessions">
          {sessions.map(({ id, device, address, last_used_date }) => (
            <ListRow key={id} className="flex flex-wrap items-center justify-between gap-x-4">
              <span className="flex min-w-0 flex-col">
                <span>{device}</span>
                <span className="text-14 text-quiet">{address ?? 'Place unknown'}</span>
              </span>
              <span className="ml-auto text-14 text-quiet">
                Used <Time value={last_used_date} as="age" />
              </span>
            </ListRow>
          ))}
        </List>
      )}
    </Card>
  )
}

const actWords: Record<string, string> = {
  requirePasswordChange: 'A new password required',
  endUserSessions: 'Sessions ended',
  endUserTwoFactor: 'Two-factor login ended',
  resendVerification: 'Verification mail sent again',
  exportPerson: 'Records exported',
  erasePerson: 'Erased',
  changeUserWallet: 'Receiving wallet changed',
  askForApproval: 'Approval asked for',
}

function Acts({ person: { actions } }: { person: PersonRecord }) {
  if (actions.length === 0) return null
  return (
    <Card title="Acts by operators">
      <List label="Acts by operators">
        {actions.toReversed().map(({ id, act, date, details, ...who }) => (
          <ListRow key={id} className="flex flex-wrap items-center justify-between gap-x-4">
            <span className="inline-flex flex-wrap items-center gap-2">
              {actWords[act] ?? actText(act)}
              {details['call'] !== undefined && ` (${actText(details['call'])})`} by {byText(who)}
              {details['refused'] !== undefined && <Chip tone="error">Not allowed</Chip>}
            </span>
            <span className="ml-auto text-14 text-quiet">
              <Time value={date} />
            </span>
          </ListRow>
        ))}
      </List>
    </Card>
  )
}
