import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useId, useRef, useState, type DragEvent, type ReactNode } from 'react'
import {
  SALE_TEXT_LENGTH_MAX,
  type SaleFileCheck,
  saleFilesContract,
} from '#contract/operator/sale-files.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { useSelf } from '#console/session/self.ts'
import { call, messageOf } from '#web/lib/api/call.ts'
import { Button } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { FieldError } from '#web/ui/fields/text-field.tsx'
import { Card, List, ListRow } from '#web/ui/layout/card.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { Changes, countChanges } from './changes.tsx'
import { saleFileQuery } from './sale-queries.ts'

/** What was last written and not applied: it outlives the screen and the session. */
let draft = { operatorId: '', text: '' }

/** A new sale file: dropped in, chosen or written; checked; and applied on every instance. */
export function NewFileCard() {
  const { id: operatorId } = useSelf()
  const [text, setText] = useState(draft.operatorId === operatorId ? draft.text : '')
  const [fault, setFault] = useState<string>()
  const [applied, setApplied] = useState<'done' | 'waits'>()
  const checking = useMutation({
    mutationFn: (given: string) => call(saleFilesContract.checkSaleFile, { body: { text: given } }),
    onError: (error) => setFault(messageOf(error, 'The server does not answer.')),
  })

  function change(next: string) {
    setText(next)
    draft = { operatorId, text: next }
    setFault(undefined)
    setApplied(undefined)
    checking.reset()
  }
  function check(given: string) {
    if (given.trim() === '') return setFault('Drop a sale file in, choose one or write it here.')
    if (given.length > SALE_TEXT_LENGTH_MAX) {
      return setFault('This is longer than 200,000 characters, too long for a sale file.')
    }
    if (given.includes('\0'))
      return setFault('This is no text, but perhaps a picture. Choose a sale file.')
    checking.mutate(given)
  }
  function finish(how: 'done' | 'waits') {
    setApplied(how)
    draft = { operatorId, text: '' }
  }
  async function read(file: File | undefined) {
    if (file === undefined) return
    const content = await file.text()
    change(content)
    check(content)
  }

  return (
    <Card title="A new sale file">
      <p className="max-w-prose text-14 text-quiet">
        It is checked first, and nothing is applied until you say so. Pictures are files beside the
        sale file on the server: put a new one there before you name it here.
      </p>
      <DropZone onFile={(file) => void read(file)}>
        <FileText text={text} fault={fault} onChange={change} onFault={setFault} />
      </DropZone>
      <div className="flex flex-wrap gap-3">
        <Button
          variant={checking.data === undefined ? 'primary' : 'secondary'}
          onClick={() => check(text)}
          isBusy={checking.isPending}
        >
          Check it
        </Button>
      </div>
      <div role="status" className="flex flex-col gap-4">
        {applied === 'done' && (
          <Banner tone="success">The sale file is applied on every instance.</Banner>
        )}
        {applied === 'waits' && (
          <Banner tone="info">A second person has to approve it, under Approvals.</Banner>
        )}
        {checking.data !== undefined && applied === undefined && (
          <Checked text={text} check={checking.data} onApplied={finish} />
        )}
      </div>
    </Card>
  )
}

/** Accepts a file dropped anywhere on it, or one that is chosen. */
function DropZone(props: { onFile: (file: File | undefined) => void; children: ReactNode }) {
  const { onFile, children } = props
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFile(event.dataTransfer.files[0])
  }
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={classNames(
        'flex flex-col gap-4 rounded-card border border-dashed p-4',
        isOver ? 'border-accent bg-raised' : 'border-edge',
      )}
    >
      <div className="flex flex-wrap items-center gap-3">
        <FileUp size={24} className="shrink-0 text-quiet" />
        <p className="min-w-0 flex-1 basis-40">Drop the sale file here, or</p>
        <Button variant="secondary" onClick={() => input.current?.click()}>
          Choose a file
        </Button>
        <input
          ref={input}
          type="file"
          accept=".yaml,.yml,text/yaml"
          aria-label="Sale file"
          className="hidden"
          onChange={({ currentTarget }) => {
            onFile(currentTarget.files?.[0])
            // Choosing the same file again after correcting it must count as a change too.
            currentTarget.value = ''
          }}
        />
      </div>
      {children}
    </div>
  )
}

function FileText(props: {
  text: string
  fault: string | undefined
  onChange: (text: string) => void
  onFault: (fault: string) => void
}) {
  const { text, fault, onChange, onFault } = props
  const id = useId()
  const client = useQueryClient()
  const startFromApplied = () =>
    client.fetchQuery(saleFileQuery).then(
      (applied) => onChange(applied.text),
      (error: unknown) => onFault(messageOf(error, 'The server does not answer.')),
    )
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <label htmlFor={id} className="text-14 font-medium">
          Or write it here
        </label>
        <Button
          variant="quiet"
          size="small"
          className="-mx-3"
          onClick={() => void startFromApplied()}
        >
          Start from the applied one
        </Button>
      </div>
      <textarea
        id={id}
        value={text}
        rows={text === '' ? 4 : 16}
        spellCheck={false}
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={`${id}-error`}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="rounded-control border border-edge bg-raised px-3 py-2 font-mono text-14 hover:border-quiet"
      />
      <FieldError id={`${id}-error`} error={fault} />
    </div>
  )
}

interface CheckedProps {
  text: string
  check: SaleFileCheck
  onApplied: (how: 'done' | 'waits') => void
}

function Checked({ text, check, onApplied }: CheckedProps) {
  const [isAsking, setAsking] = useState(false)
  const { hash, applied_id, faults, changes, warnings } = check
  if (faults.length > 0) return <Faults faults={faults} />
  const count = countChanges(changes)
  const isWords = changes.every(({ concerns }) => concerns === 'words')
  return (
    <>
      <h3 className="text-16 font-strong">It can be applied: {count}</h3>
      {!isWords && (
        <Banner tone="warning">
          It may change what buyers pay, what they get, what is sold, or where a link leads.
        </Banner>
      )}
      <Changes changes={changes} />
      {warnings.length > 0 && (
        <List label="Warnings">
          {warnings.map((warning) => (
            <ListRow key={warning} className="text-14 wrap-anywhere">
              {warning}.
            </ListRow>
          ))}
        </List>
      )}
      <Button className="self-start" onClick={() => setAsking(true)}>
        Apply it
      </Button>
      {isAsking && (
        <ActDialog
          title="Apply this sale file"
          confirm="Apply"
          isDangerous={!isWords}
          done="The sale file is applied."
          endpoint={saleFilesContract.applySaleFile}
          input={() => ({ body: { text, hash, applied_id } })}
          onActed={({ waits }) => onApplied(waits === null ? 'done' : 'waits')}
          onClose={() => setAsking(false)}
        >
          <p>
            It is applied on every instance and on every open page at once, with {count}. Purchases
            that were made keep their terms.
          </p>
          <p className="text-12 break-all text-quiet">
            SHA-256 <span className="font-mono">{hash}</span>
          </p>
        </ActDialog>
      )}
    </>
  )
}

function Faults({ faults }: { faults: SaleFileCheck['faults'] }) {
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`
  return (
    <>
      <h3 className="text-16 font-strong">It cannot be applied: {count}</h3>
      <List label="Faults">
        {faults.map(({ line, column, path, message, text }) => (
          <ListRow
            key={`${line} ${column} ${path} ${message}`}
            className="flex flex-col gap-1 text-14"
          >
            <span className="font-strong">
              Line {line}
              {path !== '' && <span className="font-medium text-quiet wrap-anywhere"> {path}</span>}
            </span>
            <code className="overflow-x-auto rounded-control bg-raised px-3 py-1.5 whitespace-pre">
              {text === '' ? ' ' : text}
            </code>
            <span className="wrap-anywhere">{message}.</span>
          </ListRow>
        ))}
      </List>
    </>
  )
}
