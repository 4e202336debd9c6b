import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type RefundBatch, refundBatchesContract } from '#contract/operator/refund-batches.ts'
import { refundClaimsContract } from '#contract/operator/refund-claims.ts'
import { AskedLink } from '#console/approvals/waiting.tsx'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { LOOK_EVERY_MS, Loaded, watchedQuery } from '#console/kit/loaded.tsx'
import { PagedTable, usePages, type Column, Table } from '#console/kit/table.tsx'
import { stakeColumn, Time, StakeLine } from '#console/kit/values.tsx'
import { Coins } from '#console/purchases/amounts.tsx'
import { RefundSections } from '#console/refunds/sections.tsx'
import { useMay } from '#console/session/self.ts'
import { formatUsd } from '#web/lib/format/format.ts'
import { SmallButton } from '#web/ui/actions.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { Card, LabelledLine } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { networkOf, type ReadyClaims, readyClaims } from './ready-claims.ts'
import { BatchState } from './states.tsx'

const PAGE = '50'
/** The most that the API returns at a time. */
const APPROVED_PAGE = '100'

export function BatchesScreen() {
  const pages = usePages(
    ['operator', 'batches'],
    refundBatchesContract.listRefundBatches,
    { query: { limit: PAGE } },
    { lookEveryMs: LOOK_EVERY_MS },
  )
  return (
    <>
      <PageHeading>Refunds</PageHeading>
      <RefundSections />
      <Ready />
      <Card title="Batches">
        <PagedTable
          pages={pages}
          what="The batches"
          empty={
            <EmptyState title="No batches yet">
              A batch is a list of payments that one wallet signs. The server holds no key. It finds
              on the chain what was sent.
            </EmptyState>
          }
          label="Batches"
          columns={columns}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/refunds/batches/${id}`}
        />
      </Card>
    </>
  )
}

function Ready() {
  const mayPay = useMay('refunds.pay')
  const [making, setMaking] = useState<ReadyClaims | null>(null)
  const query = useQuery(
    watchedQuery(['operator', 'claims', 'ready'], refundClaimsContract.listRefundClaims, {
      query: { state: 'approved', limit: APPROVED_PAGE },
    }),
  )
  return (
    <Card title="To be sent">
      <Loaded query={query} what="The approved claims" skeleton="h-16">
        {({ data, after }) => {
          const rows = readyClaims(data)
          const isAnyAsked = rows.some(({ asked }) => asked !== null)
          const columns = [
            ...readyColumns,
            ...(mayPay || isAnyAsked ? [nextColumn(mayPay, setMaking)] : []),
          ]
          return rows.length === 0 ? (
            <p className="text-quiet">No approved claims are waiting. Approve some under Claims.</p>
          ) : (
            <>
              {after !== null && (
                <p className="text-14 text-quiet">
                  These are the first {data.length} that were approved. More can be sent after them.
                </p>
              )}
              <Table
                label="Approved claims by network"
                columns={columns}
                rows={rows}
                keyOf={({ rail, chain, sums, asked }) =>
                  `${rail} ${chain} ${sums[0]?.payment_token.id} ${asked?.approval_id}`
                }
              />
            </>
          )
        }}
      </Loaded>
      {making !== null && <MakeDialog ready={making} onClose={() => setMaking(null)} />}
    </Card>
  )
}

const readyColumns: readonly Column<ReadyClaims>[] = [
  { header: 'Network', isTitle: true, cell: ({ chain, sums }) => networkOf(chain, sums) },
  { header: 'Claims', isNumber: true, cell: ({ claims }) => claims.length },
  { header: 'To be sent', isNumber: true, cell: ({ sums }) => <Sums sums={sums} /> },
  { header: 'At stake', isNumber: true, cell: ({ usd }) => (usd === null ? '–' : formatUsd(usd)) },
]

/** The next step: to make a batch, or to decide on the one that somebody has asked for. */
const nextColumn = (
  mayPay: boolean,
  onMake: (ready: ReadyClaims) => void,
): Column<ReadyClaims> => ({
  header: 'To do',
  cell: (ready) =>
    ready.asked !== null ? (
      <AskedLink asked={ready.asked} />
    ) : (
      mayPay && (
        <SmallButton
          aria-haspopup="dialog"
          aria-label={`Make a batch: ${networkOf(ready.chain, ready.sums)}`}
          onClick={() => onMake(ready)}
        >
          Make a batch
        </SmallButton>
      )
    ),
})

function Sums({ sums }: { sums: ReadyClaims['sums'] }) {
  return (
    <span className="flex flex-col items-end">
      {sums.map(({ payment_token: coin, pays }) => (
        <Coins key={coin.id} amount={pays} payment_token={coin} />
      ))}
    </span>
  )
}

const columns: readonly Column<RefundBatch>[] = [
  { header: 'Batch', isTitle: true, cell: ({ id }) => `Batch ${id}` },
  { header: 'Network', from: 'lg', cell: ({ chain, sums }) => networkOf(chain, sums) },
  { header: 'Made', cell: ({ created_date: created }) => <Time value={created} as="age" /> },
  { header: 'To be sent', isNumber: true, cell: ({ sums }) => <Sums sums={sums} /> },
  { ...stakeColumn, from: 'md' },
  {
    header: 'Found on chain',
    isNumber: true,
    cell: ({ claims, sent, confirmed }) => `${sent + confirmed} of ${claims}`,
  },
  { header: 'State', cell: ({ state }) => <BatchState state={state} /> },
]

function MakeDialog({ ready, onClose }: { ready: ReadyClaims; onClose: () => void }) {
  const navigate = useNavigate()
  const { rail, chain, claims, sums, usd } = ready
  const [sum, another] = sums

  return (
    <ActDialog
      title={`Make a batch on ${networkOf(chain, sums)}?`}
      confirm="Make the batch"
      done="The batch is made. Its files can be downloaded."
      endpoint={refundBatchesContract.makeRefundBatch}
      input={() => ({
        body: {
          rail,
          chain,
          // Only what was seen, and nothing that was approved meanwhile.
          claim_ids: claims.map(({ id }) => id),
          ...(sum !== undefined &&
            another === undefined && { payment_token_id: sum.payment_token.id }),
        },
      })}
      onActed={({ result }) => {
        if (result === null) return
        const { batch, left_out: leftOut } = result
        if (leftOut.length > 0) toast.error(leftOutText(leftOut.length))
        void navigate(`/refunds/batches/${batch.id}`)
      }}
      onClose={onClose}
    >
      <dl className="flex flex-col divide-y divide-hairline">
        <LabelledLine label="Claims">{claims.length}</LabelledLine>
        {sums.map(({ payment_token: coin, pays }) => (
          <LabelledLine key={coin.id} label={`To be sent in ${coin.short_name}`}>
            <Coins amount={pays} payment_token={coin} />
          </LabelledLine>
        ))}
        <StakeLine usd={usd} />
      </dl>
      <p className="text-14 text-quiet">
        This sends nothing: you get files for your wallet, and sign there. Each claim is in one
        batch at a time.
      </p>
    </ActDialog>
  )
}

const leftOutText = (count: number) =>
  `${count} ${count === 1 ? 'claim was' : 'claims were'} left out: the money is no longer on ` +
  'its chain, a purchase is held, or a claim to the same that was rejected was paid (see Paid ' +
  'twice in the inbox).'
