import { useRef, useState, type DragEvent } from 'react'
import type { Project } from '#contract/shapes.ts'
import { formatDecimal } from '#domain/money.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { formatExact } from '#web/lib/format/format.ts'
import { useProofTexts } from './use-proof-texts.ts'
import { Button } from '#web/ui/actions.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { toneIcon, toneText } from '#web/ui/style/tone.tsx'
import type { CheckedReceipt } from './check-file.ts'
import type { PublicSnapshot } from './queries.ts'

interface ReceiptCheckProps {
  snapshots: readonly PublicSnapshot[]
  project: Pick<Project, 'symbol'>
  /** Of the token. */
  decimals: number
}

/** How many are shown; a file may have thousands. */
const SHOWN_MAX = 100

/** A field that accepts receipts, dropped or chosen as files, and says whether they are right. */
export function ReceiptCheck({ snapshots, project, decimals }: ReceiptCheckProps) {
  const { check: texts } = useProofTexts()
  const field = useRef<HTMLInputElement>(null)
  const [checked, setChecked] = useState<CheckedReceipt[]>([])
  const [isOver, setOver] = useState(false)

  async function take(files: FileList | null) {
    const { checkText } = await import('./check-file.ts')
    const read = await Promise.all([...(files ?? [])].map((file) => file.text()))
    setChecked(read.flatMap((text) => checkText(text)))
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files)
  }

  return (
    <Card title={texts.title}>
      <p className="text-quiet">{texts.text}</p>
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={classNames(
          'flex flex-col items-center gap-3 rounded-control border px-4 py-8 text-center',
          isOver ? 'border-accent' : 'border-edge',
        )}
      >
        <p className="text-balance text-quiet">{texts.drop}</p>
        <input
          ref={field}
          type="file"
          accept=".json,application/json"
          multiple
          hidden
          onChange={(event) => void take(event.currentTarget.files)}
        />
        <Button variant="secondary" onClick={() => field.current?.click()}>
          {texts.choose}
        </Button>
      </div>
      <ul aria-live="polite" className="flex flex-col gap-3">
        {checked.slice(0, SHOWN_MAX).map((each, nth) => (
          <Result
            key={nth}
            checked={each}
            snapshots={snapshots}
            symbol={project.symbol}
            decimals={decimals}
          />
        ))}
      </ul>
    </Card>
  )
}

interface ResultProps {
  checked: CheckedReceipt
  snapshots: readonly PublicSnapshot[]
  symbol: string
  decimals: number
}

function Result({ checked: { receipt, fault }, snapshots, symbol, decimals }: ResultProps) {
  const { check: texts } = useProofTexts()
  const published = snapshots.find(({ root }) => root === receipt?.root)
  const isRight = receipt !== null && fault === null && published !== undefined
  const isOld = isRight && published.number !== snapshots.at(-1)?.number
  const tone = isOld ? 'warning' : isRight ? 'success' : 'error'
  const sentence = isRight
    ? texts.rightText(
        `${formatExact(formatDecimal(BigInt(receipt.value[1]), decimals))} ${symbol}`,
        published.number,
      )
    : receipt === null
      ? texts.noReceipt
      : fault === null
        ? texts.otherRoot
        : fault === 'id'
          ? texts.otherPurchase
          : texts.notInTree
  return (
    <li className="flex items-start gap-2" data-tone={tone}>
      <span className={classNames('mt-0.5', toneText[tone])}>{toneIcon(tone, 20)}</span>
      <span className="flex min-w-0 flex-col wrap-anywhere">
        <span className="font-strong">{isRight ? texts.right : texts.wrong}</span>
        {receipt !== null && (
          <span className="text-14 text-quiet">
            {texts.purchase} {purchaseNumber(receipt.purchase_id)}
          </span>
        )}
        <span>{sentence}</span>
        {isOld && <span>{texts.old(published.number)}</span>}
      </span>
    </li>
  )
}
