import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { LoadedWithWaiting } from '#console/approvals/waiting.tsx'
import { projectQuery } from '#console/session/project.ts'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { FreezeCard } from './freeze-card.tsx'
import { SnapshotsCard } from './snapshots-card.tsx'
import { snapshotsQuery } from './snapshots-query.ts'
import { UnassignedCard } from './unassigned-card.tsx'

/** Closing the books, what became of that, and who has named no wallet yet. */
export function DeliveryScreen() {
  const query = useQuery(snapshotsQuery)
  const symbol = useQuery(projectQuery).data?.symbol ?? ''
  return (
    <>
      <PageHeading>Delivery</PageHeading>
      <p className="max-w-prose text-quiet">
        Once nothing can change who owns how many tokens, you close the books: a snapshot records
        it, and anybody can check that it leaves nobody out. Tokens are handed out from a snapshot.
      </p>
      <LoadedWithWaiting
        acts={['freeze', 'correctSnapshot']}
        query={query}
        what="The snapshots"
        skeleton={<Counting />}
      >
        {(report) => (
          <>
            <FreezeCard report={report} symbol={symbol} />
            {report.snapshots.length > 0 && (
              <SnapshotsCard snapshots={report.snapshots} symbol={symbol} />
            )}
            <UnassignedCard
              unassigned={report.unassigned}
              symbol={symbol}
              isClosed={report.snapshots.length > 0}
            />
          </>
        )}
      </LoadedWithWaiting>
    </>
  )
}

/** What takes longer is no mere loading. */
const NOTICED_MS = 1500

/** In the place of the cards; says why it takes long where it does. */
function Counting() {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), NOTICED_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="flex flex-col gap-4">
      {isLong && (
        <p className="text-quiet">
          What every buyer owns is being counted. With a million of them it takes some seconds.
        </p>
      )}
      <Skeleton className="h-96" />
    </div>
  )
}
