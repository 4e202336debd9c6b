import { useState } from 'react'
import { type SnapshotReport, snapshotsContract } from '#contract/operator/snapshots.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { useMay } from '#console/session/self.ts'
import { formatNumber } from '#web/lib/format/format.ts'
import { Button, TextLink } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { Card, Figure } from '#web/ui/layout/card.tsx'
import { toneIcon } from '#web/ui/style/tone.tsx'

type Undecided = SnapshotReport['undecided'][number]

/** What each kind is called where it is decided, in the order in which one looks. */
const kindNames: Record<Undecided['kind'], string> = {
  sale: 'The sale has ended',
  soft_cap: 'The soft cap is decided',
  pause: 'The sale is not paused',
  books: 'The books agree',
  chain: 'Every chain is read up to now',
  settlement: 'All that was recorded is settled',
  unpaid: 'No purchase waits for its payment',
  confirming: 'No payment waits for confirmations',
  held: 'No purchase is held',
  withdrawable: 'Nobody can withdraw any more',
  refund_claim: 'No unpaid claim can change who owns tokens',
  refund_mark: 'No refund that was marked as paid can either',
}

const kinds = Object.keys(kindNames) as Undecided['kind'][]
/** Once the books are closed, these are so for good. */
const askedOnce: readonly Undecided['kind'][] = ['sale', 'soft_cap', 'pause']

/** What is still undecided as a checklist, and the way to close the books or to correct them. */
export function FreezeCard({ report, symbol }: { report: SnapshotReport; symbol: string }) {
  const [isOpen, setOpen] = useState(false)
  const mayFreeze = useMay('allocations.freeze')
  const { snapshots, undecided, owned, movements } = report
  const last = snapshots.at(-1)
  const isReady = undecided.length === 0
  const asked = last === undefined ? kinds : kinds.filter((kind) => !askedOnce.includes(kind))
  const lines = asked.map((kind) => ({ kind, open: undecided.find((each) => each.kind === kind) }))
  return (
    <Card
      title={last === undefined ? 'Close the books' : 'The books are closed'}
      aside={
        isReady ? (
          <Chip tone="success">Nothing is undecided</Chip>
        ) : (
          <Chip tone="warning">
            {undecided.length === 1
              ? 'One thing is undecided'
              : `${undecided.length} things are undecided`}
          </Chip>
        )
      }
    >
      <Figure
        size="medium"
        value={formatNumber(owned)}
        exact={owned}
        unit={symbol}
        label="Owned by buyers, according to the ledger"
      />
      {last !== undefined && movements > 0 && <Moved number={last.number} times={movements} />}
      <ul aria-label="What has to be decided" className="grid gap-x-8 gap-y-3 lg:grid-cols-2">
        {/* What is to be done stands first. */}
        {lines
          .toSorted(
            (one, other) => Number(other.open !== undefined) - Number(one.open !== undefined),
          )
          .map(({ kind, open }) => (
            <CheckLine key={kind} name={kindNames[kind]} undecided={open} />
          ))}
      </ul>
      {mayFreeze && (
        <div className="flex flex-wrap items-center gap-4">
          <Button
            variant={last === undefined ? 'danger' : 'secondary'}
            disabled={!isReady}
            onClick={() => setOpen(true)}
          >
            {last === undefined ? 'Close the books' : 'Correct the snapshot'}
          </Button>
          {last !== undefined && (
            <TextLink to={`/delivery/snapshots/${last.number + 1}`}>
              What a correction would change
            </TextLink>
          )}
        </div>
      )}
      {isOpen && (
        <FreezeDialog
          isFirst={last === undefined}
          tokens={`${formatNumber(owned)} ${symbol}`}
          withoutWallet={report.unassigned.count}
          onClose={() => setOpen(false)}
        />
      )}
    </Card>
  )
}

function Moved({ number, times }: { number: number; times: number }) {
  return (
    <Banner tone="warning">
      Tokens of buyers have moved {times === 1 ? 'once' : `${times} times`} since snapshot {number}.{' '}
      <TextLink to={`/delivery/snapshots/${number + 1}`}>See what differs</TextLink>
    </Banner>
  )
}

function CheckLine({ name, undecided }: { name: string; undecided: Undecided | undefined }) {
  const isDecided = undecided === undefined
  return (
    <li className="flex items-start gap-2 text-14">
      <span className={isDecided ? 'mt-0.5 text-success' : 'mt-0.5 text-warning'}>
        {toneIcon(isDecided ? 'success' : 'warning', 16)}
      </span>
      <span className="min-w-0 wrap-anywhere">
        <span className="sr-only">{isDecided ? 'Decided: ' : 'Undecided: '}</span>
        {isDecided ? <span className="text-quiet">{name}</span> : `${undecided.sentence}.`}
      </span>
    </li>
  )
}

interface FreezeDialogProps {
  isFirst: boolean
  tokens: string
  /** How many owners have named none. */
  withoutWallet: number
  onClose: () => void
}

function FreezeDialog({ isFirst, tokens, withoutWallet, onClose }: FreezeDialogProps) {
  if (isFirst) {
    return (
      <ActDialog
        title="Close the books"
        confirm="Close the books"
        isDangerous
        done="The books are closed. Snapshot 1 says who owns what."
        endpoint={snapshotsContract.freeze}
        input={() => ({})}
        onClose={onClose}
      >
        <p>Snapshot 1 records who owns how much of {tokens}, with the wallets as they are now.</p>
        <ul className="flex list-disc flex-col gap-2 pl-5 text-14">
          <li>The sale can never resume, and nobody can undo this.</li>
          <li>
            {withoutWallet === 0
              ? 'Every owner has named a wallet.'
              : `${withoutWallet === 1 ? 'One owner has' : `${formatNumber(withoutWallet)} owners have`} named no wallet. They still can, and are part of the next snapshot.`}
          </li>
          <li>
            Wallet changes that have not taken effect are cancelled, and their owners get a mail.
          </li>
          <li>
            A snapshot never changes. Whatever turns out to be wrong is corrected in the next one.
          </li>
        </ul>
      </ActDialog>
    )
  }
  return (
    <ActDialog
      title="Correct the snapshot"
      confirm="Take the next snapshot"
      isDangerous
      asksReason
      done="The next snapshot is taken."
      endpoint={snapshotsContract.correctSnapshot}
      input={(reason) => ({ body: { reason } })}
      onClose={onClose}
    >
      <p>
        The differences from the last snapshot are recorded as the next one: {tokens} in all. The
        last one stays as it is. The root of the new one is public at once.
      </p>
    </ActDialog>
  )
}
