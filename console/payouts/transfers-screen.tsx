import { useState } from 'react'
import type { ResultOf } from '#contract/endpoint.ts'
import {
  type ForeignTransfer,
  foreignTransfersContract,
} from '#contract/operator/foreign-transfers.ts'
import { networkName } from '#domain/chains/chain.ts'
import { type ForeignTransferState, foreignTransferStates } from '#domain/settlement/outcome.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { useFilters } from '#console/kit/filters.tsx'
import { PagedTable, usePages, type Column, Table } from '#console/kit/table.tsx'
import { Time } from '#console/kit/values.tsx'
import { PurchaseNumber } from '#console/purchases/amounts.tsx'
import { RefundSections } from '#console/refunds/sections.tsx'
import { useMay } from '#console/session/self.ts'
import { formatExact } from '#web/lib/format/format.ts'
import { Button, SmallButton } from '#web/ui/actions.tsx'
import { AddressText } from '#web/ui/address-text.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'

const PAGE = '50'

const words: Record<ForeignTransferState, string> = {
  open: 'To decide',
  dismissed: 'Put away',
  owed: 'Taken up',
}

/** Tokens that the sale does not take: nothing is owed for them until somebody says so. */
export function TransfersScreen() {
  const mayDecide = useMay('refunds.pay')
  const { values, set } = useFilters(['state'])
  const state = foreignTransferStates.find((each) => each === values.state) ?? 'open'
  const [open, setOpen] = useState<TransferAct>()
  const pages = usePages(
    ['operator', 'foreign-transfers', state],
    foreignTransfersContract.listForeignTransfers,
    { query: { state, limit: PAGE } },
  )
  const isOpen = state === 'open'
  const sums = pages.data?.pages[0]?.sums ?? []
  const actColumns = mayDecide && isOpen ? [actColumn(setOpen)] : []
  const sumActs = mayDecide ? [putAwayColumn(setOpen)] : []
  return (
    <>
      <PageHeading>Refunds</PageHeading>
      <RefundSections />
      <p className="max-w-prose text-quiet">
        Anybody can make a token and send it to an address of the sale. Nothing is owed for a token
        that the sale does not take, and the buyer is not told about it again, unless you take it
        up.
      </p>
      <Segmented
        label="Which transfers"
        options={foreignTransferStates.map((value) => ({ value, label: words[value] }))}
        value={state}
        onChange={(next) => set({ state: next === 'open' ? null : next })}
      />
      {isOpen && sums.length > 0 && (
        <Card title="By token">
          <Table
            label="By token"
            columns={[...sumColumns, ...sumActs]}
            rows={sums}
            keyOf={({ chain, asset }) => `${chain} ${asset}`}
          />
        </Card>
      )}
      <Card title={isOpen ? 'One by one' : undefined}>
        <PagedTable
          pages={pages}
          what="The transfers"
          empty={
            <EmptyState title="No transfers">
              Transfers of tokens that the sale does not take are listed here.
            </EmptyState>
          }
          label="Transfers"
          columns={[...columns, ...(isOpen ? [] : [decided]), ...actColumns]}
          keyOf={({ id }) => id}
          hrefOf={({ purchase_id: id }) => `/purchases/${id}`}
        />
      </Card>
      {open !== undefined && <TransferDialog open={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

const columns: readonly Column<ForeignTransfer>[] = [
  { header: 'Purchase', isTitle: true, cell: ({ purchase_id: id }) => <PurchaseNumber id={id} /> },
  { header: 'Seen', from: 'lg', cell: ({ seen_date: at }) => <Time value={at} /> },
  {
    header: 'Token',
    cell: ({ symbol, asset, chain }) => <Token symbol={symbol} asset={asset} chain={chain} />,
  },
  { header: 'Base units', isNumber: true, cell: ({ amount }) => <Units amount={amount} /> },
  { header: 'At the address', cell: ({ is_held: isHeld }) => <Held isHeld={isHeld} /> },
]

const decided: Column<ForeignTransfer> = {
  header: 'Why',
  cell: ({ reason, decided_date: at }) => (
    <span className="flex flex-col">
      {reason}
      {at !== null && (
        <span className="text-quiet">
          <Time value={at} />
        </span>
      )}
    </span>
  ),
}

const actColumn = (onOpen: (open: TransferAct) => void): Column<ForeignTransfer> => ({
  header: 'To do',
  cell: (transfer) => (
    <span className="flex flex-wrap gap-2 max-md:justify-end">
      <SmallButton
        aria-label={`Put away: ${purchaseNumber(transfer.purchase_id)}`}
        onClick={() => onOpen({ act: 'dismiss', transfer })}
      >
        Put away
      </SmallButton>
      {transfer.is_held !== false && (
        <Button
          variant="quiet"
          size="small"
          aria-label={`Take up: ${purchaseNumber(transfer.purchase_id)}`}
          onClick={() => onOpen({ act: 'owe', transfer })}
        >
          Take up
        </Button>
      )}
    </span>
  ),
})

const sumColumns: readonly Column<TokenSum>[] = [
  {
    header: 'Token',
    isTitle: true,
    cell: ({ symbol, asset, chain }) => <Token symbol={symbol} asset={asset} chain={chain} />,
  },
  { header: 'Transfers', isNumber: true, cell: ({ count }) => count },
  { header: 'Base units', isNumber: true, cell: ({ amount }) => <Units amount={amount} /> },
]

const putAwayColumn = (onOpen: (open: TransferAct) => void): Column<TokenSum> => ({
  header: 'To do',
  cell: (sum) => (
    <SmallButton
      aria-label={`Put all away: ${sum.symbol ?? sum.asset}`}
      onClick={() => onOpen({ act: 'dismissToken', sum })}
    >
      Put all away
    </SmallButton>
  ),
})

/** A token's name for itself, in quotes because it proves nothing, and its contract. */
function Token({ symbol, asset, chain }: Pick<TokenSum, 'symbol' | 'asset' | 'chain'>) {
  return (
    <span className="flex flex-col max-md:items-end">
      <span className="wrap-anywhere">
        {symbol === null ? 'A token without a name' : `“${symbol}”`}{' '}
        <span className="text-quiet">on {networkName({ chain })}</span>
      </span>
      <AddressText value={asset} />
    </span>
  )
}

function Held({ isHeld }: { isHeld: boolean | null }) {
  if (isHeld === null) return <span className="text-quiet">Unknown</span>
  return isHeld ? 'There' : <Chip tone="neutral">Never arrived</Chip>
}

const SHOWN_DIGITS = 21

/**
 * An amount in base units. Strangers choose it, so one larger than any token of value has is
 * shortened.
 */
function Units({ amount }: { amount: string }) {
  const isShort = amount.length <= SHOWN_DIGITS
  const shown = isShort ? formatExact(amount) : `about 10^${amount.length - 1}`
  return (
    <span title={amount} className="whitespace-nowrap">
      {shown}
    </span>
  )
}

/** What is open of one token. */
type TokenSum = ResultOf<typeof foreignTransfersContract.listForeignTransfers>['sums'][number]

/** What is about to be decided, of a transfer or of all transfers of a token. */
type TransferAct =
  | { act: 'dismiss' | 'owe'; transfer: ForeignTransfer }
  | { act: 'dismissToken'; sum: TokenSum }

const ofTransfer = {
  dismiss: {
    title: 'Put this transfer away',
    confirm: 'Put away',
    done: 'It is put away.',
    endpoint: foreignTransfersContract.dismissForeignTransfer,
    what: 'Nothing is owed for it. It leaves the list, with your reason.',
  },
  owe: {
    title: 'Take this transfer up as a debt?',
    confirm: 'Take it up',
    done: 'It is owed back, and listed under Owed.',
    endpoint: foreignTransfersContract.oweForeignTransfer,
    what:
      'It is a refund from then on, for good, and the buyer is told. Do this only if the token is ' +
      'worth something and you can send it back.',
  },
} as const

function TransferDialog({ open, onClose }: { open: TransferAct; onClose: () => void }) {
  if (open.act !== 'dismissToken') {
    const { title, confirm, done, endpoint, what } = ofTransfer[open.act]
    return (
      <ActDialog
        title={title}
        confirm={confirm}
        asksReason
        done={done}
        endpoint={endpoint}
        input={(reason) => ({ params: { id: open.transfer.id }, body: { reason } })}
        onClose={onClose}
      >
        <p>{what}</p>
      </ActDialog>
    )
  }
  const { chain, asset, count } = open.sum
  return (
    <ActDialog
      title={count === 1 ? 'Put one transfer away' : `Put ${count} transfers away`}
      confirm="Put away"
      asksReason
      done="They are put away."
      endpoint={foreignTransfersContract.dismissForeignToken}
      input={(reason) => ({ body: { chain, asset, reason } })}
      onClose={onClose}
    >
      <p>
        All open transfers of this token leave the list, with your reason. Later ones are listed
        again.
      </p>
    </ActDialog>
  )
}
