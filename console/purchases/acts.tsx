import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { operatorContract } from '#contract/operator/operations.ts'
import type { PurchaseRecord } from '#contract/operator/shapes.ts'
import type { Permission } from '#domain/operators/permissions.ts'
import { useWaiting } from '#console/approvals/waiting.tsx'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { useSelf } from '#console/session/self.ts'
import { isRefusal } from '#web/lib/api/call.ts'
import { Button } from '#web/ui/actions.tsx'
import { purchaseQuery } from './queries.ts'
import { statusWords } from './status.tsx'

type ActName = 'hold' | 'release' | 'fail'

const acts = {
  hold: {
    permission: 'purchases.hold',
    endpoint: operatorContract.holdPurchase,
    label: 'Hold',
    title: 'Hold this purchase',
    what:
      'Nothing is credited until it is released, and what was credited is taken back. Tokens that ' +
      'late or surplus money has bought go back to the stage, and somebody else may buy them. ' +
      'The buyer does not see the reason.',
    done: 'The purchase is held.',
    isDangerous: false,
  },
  release: {
    permission: 'purchases.release',
    endpoint: operatorContract.releasePurchase,
    label: 'Release',
    title: 'Release this purchase',
    what:
      'It continues: tokens are credited for what was paid, as far as the stage still has them. ' +
      'Money that was paid back stays paid back.',
    done: 'The purchase continues.',
    isDangerous: false,
  },
  fail: {
    permission: 'purchases.fail',
    endpoint: operatorContract.failPurchase,
    label: 'Fail',
    title: 'Fail this purchase',
    what: 'It is over: its tokens are free again, and everything that was paid is owed back. The buyer is told by mail, without the reason.',
    done: 'The purchase has failed, and what was paid is owed back.',
    isDangerous: true,
  },
} as const satisfies Record<ActName, { permission: Permission; [key: string]: unknown }>

type Seen = Pick<PurchaseRecord, 'status' | 'marks'>

const ANEW =
  'A release that was asked for before does not undo it. The buyer does not see the reason.'

/** How holding what is held, or failing what has failed, differs. */
const anew = {
  hold: {
    label: 'Hold for another reason',
    title: 'Hold this purchase for another reason',
    what: `It stays on hold. ${ANEW}`,
    done: 'The purchase is held for this reason too.',
  },
  fail: {
    label: 'Fail for another reason',
    title: 'Fail this purchase for another reason',
    what: `It stays failed. ${ANEW}`,
    done: 'The purchase has failed for this reason too.',
  },
}

function actOn({ marks }: Seen, name: ActName) {
  const last = marks.at(-1)?.kind
  if (name === 'hold' && last === 'held') return { ...acts.hold, ...anew.hold }
  return name === 'fail' && last === 'failed' ? { ...acts.fail, ...anew.fail } : acts[name]
}

/** What it makes sense to do about a purchase in its present state. */
function possibleActs({ status, marks }: Seen): ActName[] {
  const last = marks.at(-1)?.kind
  if (last === 'failed') return ['release', 'fail']
  if (last === 'held') return ['release', 'hold', 'fail']
  return status === 'expired' || status === 'failed' ? ['fail'] : ['hold', 'fail']
}

function whatIsNow({ status, marks }: Seen): string {
  const now = `The purchase is now: ${statusWords[status]}.`
  const last = marks.at(-1)
  if (last === undefined) return now
  return `${now} It was ${last.kind} last: “${last.reason}”.`
}

/**
 * Whether a release waits for a second person. Once it is decided, the purchase is asked for again:
 * not before, since each record that an operator opens is counted.
 */
function useReleaseAsked(id: string): boolean {
  const client = useQueryClient()
  const isAsked = useWaiting({ acts: ['releasePurchase'], about: id }).length > 0
  useEffect(() => {
    if (!isAsked) return
    return () => void client.invalidateQueries(purchaseQuery(id))
  }, [client, id, isAsked])
  return isAsked
}

interface OpenAct {
  name: ActName
  /** What was seen; null once it has changed, and what is so now is shown. */
  seen: Seen | null
}

/** The acts that the person may do about a purchase and that make sense. */
export function PurchaseActs({ record }: { record: PurchaseRecord }) {
  const { permissions } = useSelf()
  // What is acted on is what was seen, even if the record is fetched again.
  const [open, setOpen] = useState<OpenAct | null>(null)
  const isReleaseAsked = useReleaseAsked(record.id)
  const names = possibleActs(record).filter(
    (name) =>
      permissions.includes(acts[name].permission) && !(name === 'release' && isReleaseAsked),
  )
  const chosen = open === null ? null : actOn(open.seen ?? record, open.name)
  return (
    <div className="flex flex-wrap gap-3">
      {names.map((name) => (
        <Button
          key={name}
          variant={acts[name].isDangerous ? 'danger' : 'secondary'}
          aria-haspopup="dialog"
          onClick={() => setOpen({ name, seen: record })}
        >
          {actOn(record, name).label}
        </Button>
      ))}
      {chosen !== null && (
        <ActDialog
          title={chosen.title}
          confirm={chosen.label}
          isDangerous={chosen.isDangerous}
          asksReason
          done={chosen.done}
          endpoint={chosen.endpoint}
          input={(reason) => {
            const { status, marks } = open?.seen ?? record
            const seen = { status, marked_date: marks.at(-1)?.date ?? null }
            return { params: { id: record.id }, body: { reason, ...seen } }
          }}
          onRefused={(error) => {
            const hasChanged = isRefusal(error, 'PurchaseChanged')
            if (hasChanged) setOpen((now) => now && { ...now, seen: null })
          }}
          onClose={() => setOpen(null)}
        >
          <p className="text-quiet">{chosen.what}</p>
          {open?.seen === null && <p role="status">{whatIsNow(record)}</p>}
        </ActDialog>
      )}
    </div>
  )
}
