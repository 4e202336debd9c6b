import { useQuery } from '@tanstack/react-query'
import { LoadedWithWaiting } from '#console/approvals/waiting.tsx'
import { projectQuery } from '#console/session/project.ts'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { Counting } from './counting.tsx'
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
            <UnassignedCard unassigned={report.unassigned} symbol={symbol} />
          </>
        )}
      </LoadedWithWaiting>
    </>
  )
}
