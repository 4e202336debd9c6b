import { useState } from 'react'
import { API_BASE } from '#contract/endpoint.ts'
import { type SnapshotReport, snapshotsContract } from '#contract/operator/snapshots.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { Time } from '#console/kit/values.tsx'
import { useMay } from '#console/session/self.ts'
import { formatNumber } from '#web/lib/format/format.ts'
import { Button, PlainLink } from '#web/ui/actions.tsx'
import { Card, Figure } from '#web/ui/layout/card.tsx'

interface UnassignedCardProps {
  unassigned: SnapshotReport['unassigned']
  symbol: string
  /** Whether the books are closed: there is a snapshot. */
  isClosed: boolean
}

/** Who has tokens and no wallet: how many, how much, the list, and asking them for one. */
export function UnassignedCard({ unassigned, symbol, isClosed }: UnassignedCardProps) {
  const [isOpen, setOpen] = useState(false)
  const mayInvite = useMay('delivery.manage')
  const mayExport = useMay('allocations.export')
  const { count, tokens, invitable, invited_date: invitedAt } = unassigned
  return (
    <Card title="Without a wallet">
      {count === 0 ? (
        <p className="text-quiet">Everybody who has tokens has a wallet.</p>
      ) : (
        <>
          <Figure
            size="medium"
            value={formatNumber(tokens)}
            exact={tokens}
            unit={symbol}
            label={`Of ${count === 1 ? 'one owner' : `${formatNumber(count)} owners`}`}
          />
          <p className="max-w-prose text-quiet">
            {isClosed
              ? 'Nothing is lost: their tokens are part of the snapshot. A wallet named now counts ' +
                'from the next correction on.'
              : 'Nothing is lost. A wallet named before the books are closed is in the first ' +
                'snapshot.'}
            {invitable < count && erasedText(count - invitable, isClosed)}
            {invitedAt !== null && (
              <>
                {' '}
                They were last asked on <Time value={invitedAt} />.
              </>
            )}
          </p>
          <div className="flex flex-wrap items-center gap-4">
            {mayInvite && invitable > 0 && (
              <Button variant="secondary" onClick={() => setOpen(true)}>
                Ask them by mail
              </Button>
            )}
            {mayExport && (
              <PlainLink
                href={`${API_BASE}${snapshotsContract.exportUnassigned.path}?form=csv`}
                download
                className="inline-flex min-h-11 items-center"
              >
                List as CSV
              </PlainLink>
            )}
          </div>
        </>
      )}
      {isOpen && (
        <ActDialog
          title="Ask for wallets"
          confirm={`Send ${invitable === 1 ? 'one mail' : `${formatNumber(invitable)} mails`}`}
          done="The mails are on their way."
          endpoint={snapshotsContract.inviteUnassigned}
          input={() => ({})}
          onClose={() => setOpen(false)}
        >
          <p>
            Everybody who has tokens and no wallet gets a mail that asks for one, in their language.
            At most once a day.
          </p>
        </ActDialog>
      )}
    </Card>
  )
}

const erasedText = (erased: number, isClosed: boolean) =>
  ` ${formatNumber(erased)} of their accounts ${erased === 1 ? 'was' : 'were'} erased: two operators ` +
  `can name one on the page of the user${isClosed ? '' : ' once the books are closed'}.`
