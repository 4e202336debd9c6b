import { useProject } from '#web/features/project/queries.ts'
import { OwnReceipts } from '#web/features/proof/own-receipts.tsx'
import { useSnapshots } from '#web/features/proof/queries.ts'
import { ReceiptCheck } from '#web/features/proof/receipt-check.tsx'
import { SnapshotCard } from '#web/features/proof/snapshot-card.tsx'
import { useProofTexts } from '#web/features/proof/use-proof-texts.ts'
import { useUser } from '#web/session/session-context.tsx'
import { PlainLink } from '#web/ui/actions.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { classNames } from '#web/ui/style/class-names.ts'

/** The page for saving, which the build writes beside the others. */
const OFFLINE_PAGE = '/check-receipt.html'

/** With this page anybody can check that a purchase is in the list of who owns what. */
export function ProofScreen() {
  const texts = useProofTexts()
  const project = useProject()
  const isAlone = useUser() === null
  const query = useSnapshots()
  const { data: snapshots, isError } = query
  const isLoaded = project !== undefined && snapshots !== undefined
  return (
    <article
      className={classNames('flex max-w-[65ch] flex-col gap-6 break-words', isAlone && 'mx-auto')}
    >
      <PageHeading>{texts.heading}</PageHeading>
      <p className="text-quiet">{texts.intro(project?.symbol ?? '')}</p>
      {isLoaded && snapshots.length === 0 && (
        <Card>
          <EmptyState title={texts.none}>{texts.noneHint}</EmptyState>
        </Card>
      )}
      {isLoaded && snapshots.length > 0 && (
        <>
          {snapshots.toReversed().map((snapshot) => (
            <SnapshotCard key={snapshot.number} snapshot={snapshot} symbol={project.symbol} />
          ))}
          {!isAlone && <OwnReceipts symbol={project.symbol} />}
          <ReceiptCheck snapshots={snapshots} project={project} decimals={project.decimals} />
          <Without />
        </>
      )}
      {!isLoaded && isError && <ErrorState title={texts.failed} query={query} />}
      {!isLoaded && !isError && <Skeleton className="h-96" />}
    </article>
  )
}

function Without() {
  const { without: texts } = useProofTexts()
  return (
    <Card title={texts.title}>
      <ul className="flex flex-col gap-3">
        <li>
          {texts.offline}{' '}
          <PlainLink href={OFFLINE_PAGE} download>
            {texts.offlineLink}
          </PlainLink>
        </li>
        <li>
          {texts.command}{' '}
          <code className="inline-block font-mono text-14">npm run proof -- proof.json</code>
        </li>
        <li className="text-quiet">{texts.library}</li>
      </ul>
    </Card>
  )
}
