import { Waiting } from '#console/approvals/waiting.tsx'
import { useMay } from '#console/session/self.ts'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { HistoryCard } from './history-card.tsx'
import { NewFileCard } from './new-file-card.tsx'
import { PartsCard } from './parts-card.tsx'
import { StagesCard } from './stages-card.tsx'
import { StateCard } from './state-card.tsx'

export function SaleScreen() {
  const mayApply = useMay('sale.apply')
  return (
    <>
      <PageHeading>Sale</PageHeading>
      <Waiting acts={['applySaleFile', 'closeSale', 'resumeSale']} />
      <StateCard />
      <StagesCard />
      <PartsCard />
      {mayApply && <NewFileCard />}
      <HistoryCard />
    </>
  )
}
