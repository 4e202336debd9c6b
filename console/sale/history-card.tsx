import { Download } from 'lucide-react'
import { type SaleFileEntry, saleFilesContract } from '#contract/operator/sale-files.ts'
import { LoadMore, usePages } from '#console/kit/table.tsx'
import { Loaded } from '#console/kit/loaded.tsx'
import { Time } from '#console/kit/values.tsx'
import { call, messageOf } from '#web/lib/api/call.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { IconButton } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { Disclosure } from '#web/ui/layout/disclosure.tsx'
import { Changes, countChanges } from './changes.tsx'

const sources: Record<SaleFileEntry['source'], string> = {
  disk: 'at a start, from the file on the server',
  console: 'while the sale ran',
  restart: 'at a start, with changed pictures',
}

export function HistoryCard() {
  const query = usePages(['operator', 'sale', 'history'], saleFilesContract.listSaleFiles, {
    query: {},
  })
  return (
    <Card title="Applied sale files">
      <Loaded query={query} what="The history" skeleton="h-32">
        {() => (
          <div className="flex flex-col divide-y divide-hairline">
            {query.items.map((file) => (
              <Entry key={file.id} file={file} />
            ))}
          </div>
        )}
      </Loaded>
      <LoadMore query={query} />
    </Card>
  )
}

function Entry({ file }: { file: SaleFileEntry }) {
  const { id, source, applied_date: at, applied_by: by, changes } = file
  const save = async () => {
    try {
      const { text } = await call(saleFilesContract.getAppliedSaleFile, { params: { id } })
      saveFile(`sale-${id}.yaml`, text, 'text/yaml')
    } catch (error) {
      toast.error(messageOf(error, 'The server does not answer.'))
    }
  }
  const count = countChanges(changes)
  return (
    <div className="flex items-start gap-2 py-1">
      <div className="min-w-0 flex-1">
        <Disclosure
          title={
            <span className="flex flex-wrap items-baseline gap-x-3">
              <Time value={at} />
              <span className="text-14 text-quiet">
                {count}, {by === null ? sources[source] : `by ${by}, ${sources[source]}`}
              </span>
            </span>
          }
        >
          <div className="pb-4 pl-7">
            <Changes changes={changes} />
            <p className="pt-2 text-12 break-all text-quiet">
              SHA-256 <span className="font-mono">{file.hash}</span>
            </p>
          </div>
        </Disclosure>
      </div>
      <IconButton
        label={`Save sale file ${id}`}
        icon={<Download size="1.25em" />}
        onClick={() => void save()}
        className="-mr-3"
      />
    </div>
  )
}
