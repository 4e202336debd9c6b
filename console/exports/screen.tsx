import { useState } from 'react'
import { API_BASE, type Endpoint } from '#contract/endpoint.ts'
import { exportsContract } from '#contract/operator/exports.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { PlainLink } from '#web/ui/actions.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Card, List, ListRow } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { useSelf } from '#console/session/self.ts'

interface Offer {
  endpoint: Endpoint
  name: string
  what: string
}

const purchases: Offer = {
  endpoint: exportsContract.exportPurchases,
  name: 'Purchases',
  what: 'Who bought what, at which price, and what was credited.',
}

const offers: readonly Offer[] = [
  {
    endpoint: operatorContract.listAllocations,
    name: 'Allocations',
    what: 'Who is owed how many tokens; the sum equals the ledger’s.',
  },
  {
    endpoint: exportsContract.exportReleases,
    name: 'Releases',
    what: 'Whose tokens are released when: a line for each release of each owner.',
  },
  {
    endpoint: exportsContract.exportRefunds,
    name: 'Refunds',
    what: 'What is owed back and what was paid back, with its transactions.',
  },
  {
    endpoint: exportsContract.exportReceipts,
    name: 'Receipts',
    what:
      'Every transfer that reached a purchase, whatever became of it. Not in it: money that reached ' +
      'no purchase, and tokens that the sale does not take, which are under Refunds.',
  },
  {
    endpoint: exportsContract.exportUnmatched,
    name: 'Unmatched money',
    what: 'Every transfer that reached no purchase, and why it was put away in the inbox, if it was.',
  },
  {
    endpoint: exportsContract.exportLedger,
    name: 'Ledger',
    what: 'Every movement of tokens and money, in the order it was written.',
  },
]

export function ExportsScreen() {
  const { permissions } = useSelf()
  const may = ({ endpoint: { permission } }: Offer) =>
    permission !== undefined && permissions.includes(permission)
  return (
    <>
      <PageHeading>Exports</PageHeading>
      <p className="max-w-prose text-quiet">
        Each file is a snapshot of one moment, to the last digit, with times in UTC. It contains
        personal data: every download is recorded in the audit log, with your name.
      </p>
      {may(purchases) && <Purchases />}
      <Card title="Whole lists">
        <List label="Whole lists">
          {offers.filter(may).map((offer) => (
            <ListRow
              key={offer.name}
              className="grid items-center gap-x-6 gap-y-2 sm:grid-cols-[1fr_auto]"
            >
              <span className="min-w-0">
                <span className="font-medium">{offer.name}</span>
                <span className="block text-14 text-quiet">{offer.what}</span>
              </span>
              <Downloads offer={offer} query={{}} />
            </ListRow>
          ))}
        </List>
      </Card>
    </>
  )
}

function Purchases() {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const isTurned = from !== '' && to !== '' && to < from
  return (
    <Card title={purchases.name}>
      <p className="text-14 text-quiet">
        {purchases.what} By the day, in UTC, on which a purchase was made: the overview counts it on
        the day on which it was completed. Leave a day empty for no limit on that side.
      </p>
      <div className="grid items-start gap-4 sm:grid-cols-[12rem_12rem_1fr]">
        <TextField
          label="Made from"
          type="date"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextField
          label="To, inclusive"
          type="date"
          value={to}
          {...(isTurned && { error: 'Must not be before the first day' })}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        {!isTurned && (
          <div className="sm:justify-self-end sm:pt-7">
            <Downloads
              offer={purchases}
              query={{ ...(from !== '' && { from }), ...(to !== '' && { to }) }}
            />
          </div>
        )}
      </div>
    </Card>
  )
}

/** Plain links: the browser downloads the file, however large, and sends the session’s cookie. */
function Downloads({ offer, query }: { offer: Offer; query: Record<string, string> }) {
  const hrefOf = (form: string) =>
    `${API_BASE}${offer.endpoint.path}?${new URLSearchParams({ form, ...query }).toString()}`
  return (
    <span className="flex gap-4">
      {[
        ['csv', 'CSV'],
        ['json', 'JSON'],
      ].map(([form = '', word]) => (
        <PlainLink
          key={form}
          href={hrefOf(form)}
          download
          aria-label={`${offer.name} as ${word}`}
          className="inline-flex min-h-11 min-w-11 items-center sm:justify-center"
        >
          {word}
        </PlainLink>
      ))}
    </span>
  )
}
