import { Suspense, useState } from 'react'
import { Download } from 'lucide-react'
import type { User } from '#contract/shapes.ts'
import { ownExportContract } from '#contract/export.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Button } from '#web/ui/actions.tsx'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { useAttempt } from '#web/ui/feedback/use-attempt.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'

const EraseForm = lazyComponent(() => import('./erase-form.tsx'), 'EraseForm')

/** What is stored about the user: to download, or to erase. */
export function RecordsCard({ user }: { user: User }) {
  const security = useSecurityTexts()
  const { callAs } = useSession()
  const [isErasing, setErasing] = useState(false)
  const { isBusy, attempt } = useAttempt(async () => {
    const records = await callAs(ownExportContract.exportUser, { params: { id: user.id } })
    saveFile(security.exportFile, `${JSON.stringify(records, null, 2)}\n`, 'application/json')
  }, security.exportFailed)

  return (
    <Card title={security.yourRecords}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-quiet">{security.exportWhat}</p>
        <Button variant="secondary" isBusy={isBusy} onClick={attempt} className="w-full sm:w-auto">
          <Download size={16} />
          {security.exportMine}
        </Button>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-hairline pt-4">
        <p className="text-quiet">{security.eraseWhat}</p>
        <Button
          variant="danger"
          aria-haspopup="dialog"
          onClick={() => setErasing(true)}
          className="w-full sm:w-auto"
        >
          {security.erase}
        </Button>
      </div>
      <Dialog isOpen={isErasing} onClose={() => setErasing(false)} title={security.eraseTitle}>
        <Suspense fallback={<Skeleton className="h-80" />}>
          <EraseForm user={user} onClose={() => setErasing(false)} />
        </Suspense>
      </Dialog>
    </Card>
  )
}
