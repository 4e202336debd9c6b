import { useQuery } from '@tanstack/react-query'
import { type SweepReport, sweepsContract } from '#contract/operator/sweeps.ts'
import { LoadedWithWaiting } from '#console/approvals/waiting.tsx'
import { type Column, Table } from '#console/kit/table.tsx'
import { Time } from '#console/kit/values.tsx'
import { Transaction } from '#console/purchases/amounts.tsx'
import { callQuery } from '#web/lib/api/call-query.ts'
import { AddressText } from '#web/ui/address-text.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { amountColumn, ChainCard } from './chain-card.tsx'
import { SweepCard } from './sweep-card.tsx'

const LOOK_EVERY_MS = 30_000

/** What lies at addresses of purchases, what is on its way to the treasury, and what arrived. */
export function SweepsScreen() {
  const query = useQuery({
    ...callQuery(['operator', 'sweeps'], sweepsContract.getSweeps, {}),
    refetchInterval: LOOK_EVERY_MS,
  })
  return (
    <>
      <PageHeading>Sweeps</PageHeading>
      <p className="max-w-prose text-quiet">
        On Ethereum and similar networks each purchase is paid to its own address. A sweep brings
        the money to your treasury: you download a list here, sign it on a machine without a
        network, and the server sends it. The server holds no key.
      </p>
      <LoadedWithWaiting acts={['sendSweep']} query={query} what="The sweeps" skeleton="h-96">
        {({ chains, sweeps, movements }) => (
          <>
            {chains.length === 0 && (
              <Card>
                <EmptyState title="Nothing to sweep">
                  This sale receives nothing on Ethereum or a similar network.
                </EmptyState>
              </Card>
            )}
            {chains.map((chain) => (
              <ChainCard key={chain.chain} chain={chain} />
            ))}
            {sweeps.map((sweep) => (
              <SweepCard key={sweep.id} sweep={sweep} />
            ))}
            {movements.length > 0 && (
              <Card title="Latest transfers from the addresses">
                <Table
                  label="Latest transfers from the addresses"
                  columns={columns}
                  rows={movements}
                  keyOf={({ hash, address, symbol }) => `${hash} ${address} ${symbol}`}
                />
              </Card>
            )}
          </>
        )}
      </LoadedWithWaiting>
    </>
  )
}

const columns: readonly Column<SweepReport['movements'][number]>[] = [
  { header: 'When', isTitle: true, cell: ({ moved_date: at }) => <Time value={at} /> },
  amountColumn,
  { header: 'To', cell: ({ recipient }) => <AddressText value={recipient} /> },
  { header: 'Transaction', from: 'lg', cell: ({ hash }) => <Transaction hash={hash} url={null} /> },
]
