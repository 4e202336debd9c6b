import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { operatorContract, type SaleState } from '#contract/operator/operations.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { Loaded } from '#console/kit/loaded.tsx'
import { StateChip, Time } from '#console/kit/values.tsx'
import { useMay } from '#console/session/self.ts'
import { Button } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { saleStateQuery } from './sale-queries.ts'
import { saleLook } from './states.ts'

/** Whether the sale sells, and if not, why; with buttons to pause and resume it. */
export function StateCard() {
  const query = useQuery(saleStateQuery)
  return (
    <Loaded query={query} what="The state of the sale" skeleton="h-39 sm:h-43">
      {(state) => <State state={state} />}
    </Loaded>
  )
}

function State({ state }: { state: SaleState }) {
  // What is found, or decided by others, while the dialog is open was not seen in it.
  const [dialog, setDialog] = useState<{ act: StateAct; seen: SaleState } | null>(null)
  const open = (act: StateAct) => setDialog({ act, seen: state })
  const mayPause = useMay('sale.pause')
  const mayResume = useMay('sale.resume')
  const { pause, stage, starts_date: startsDate } = state
  const { breaches = [], not_run: notRun = [] } = state.check ?? {}
  const { soft_cap: softCap } = state
  const isClosed = softCap !== null && softCap.closed_date !== null
  const isResumable = pause !== null && !isClosed && state.snapshot === null
  const canResume = isResumable && mayResume
  const isFrozen = state.snapshot !== null
  const canAccept = isFrozen && mayResume && breaches.some((each) => !each.is_accepted)
  const mayClose = useMay('sale.close')
  const canClose = mayClose && state.status === 'ENDED' && softCap !== null && !isClosed
  return (
    <Card title="State" aside={<StateChip look={saleLook(state)} />}>
      {pause === null ? (
        <p>
          {stage === null ? 'No stage is on sale.' : `${stage} is on sale.`}
          {startsDate !== null && (
            <>
              {' '}
              The next one starts on <Time value={startsDate} />.
            </>
          )}
        </p>
      ) : (
        <p>
          Nothing new is sold since <Time value={pause.since} />; what was bought is still settled.{' '}
          {pause.reason}
        </p>
      )}
      {state.sale_file_fault !== null && <Banner tone="error">{state.sale_file_fault}.</Banner>}
      {breaches.length > 0 && <Faults title="Where the books do not agree" faults={breaches} />}
      {notRun.length > 0 && <Faults title="What could not be checked" faults={notRun} />}
      <div className="flex flex-wrap gap-3">
        {pause === null && mayPause && state.status !== 'ENDED' && (
          <Button variant="danger" onClick={() => open('pause')}>
            Pause the sale
          </Button>
        )}
        {isResumable && mayPause && (
          <Button variant="secondary" onClick={() => open('pause')}>
            Pause for another reason
          </Button>
        )}
        {canClose && (
          <Button variant="danger" onClick={() => open('close')}>
            Close below the soft cap
          </Button>
        )}
        {canResume && <Button onClick={() => open('resume')}>Resume the sale</Button>}
        {(canAccept || (canResume && breaches.length + notRun.length > 0)) && (
          <Button variant="danger" onClick={() => open('force')}>
            {isFrozen ? 'Accept the faults' : 'Resume anyway'}
          </Button>
        )}
      </div>
      {dialog !== null && <StateDialog {...dialog} onClose={() => setDialog(null)} />}
    </Card>
  )
}

type StateAct = 'pause' | 'resume' | 'force' | 'close'

interface StateDialogProps {
  act: StateAct
  /** The state of the sale as it is shown. */
  seen: SaleState
  onClose: () => void
}

function StateDialog({ act: what, seen, onClose }: StateDialogProps) {
  if (what === 'pause') {
    return (
      <ActDialog
        title={seen.pause === null ? 'Pause the sale' : 'Pause the sale for another reason'}
        confirm="Pause"
        isDangerous
        asksReason
        done="The sale is paused."
        endpoint={operatorContract.pauseSale}
        input={(reason) => ({ body: { reason } })}
        onClose={onClose}
      >
        <p>Nothing new is sold until it is resumed. Payments on their way are still settled.</p>
        {seen.pause !== null && (
          <p>
            Whoever resumes it reads the first reason and this one, and what was asked for before
            does not resume it.
          </p>
        )}
      </ActDialog>
    )
  }
  if (what === 'close') {
    return (
      <ActDialog
        title="Close the sale below its soft cap"
        confirm="Close the sale"
        isDangerous
        asksReason
        done="The sale is closed. Everything that was paid is owed back."
        endpoint={operatorContract.closeSale}
        input={(reason) => ({ body: { reason } })}
        onClose={onClose}
      >
        <p>
          Every purchase is undone, for good: its tokens go back, and what was paid is owed back in
          the coin that it was paid in. The buyers are told by mail.
        </p>
      </ActDialog>
    )
  }
  if (what === 'force') return <ForceDialog seen={seen} onClose={onClose} />
  return (
    <ActDialog
      title="Resume the sale"
      confirm="Resume"
      done="The sale has resumed."
      endpoint={operatorContract.resumeSale}
      input={() => ({ body: { force: false, paused_date: pausedDate(seen) } })}
      onClose={onClose}
    >
      <p>The books are checked first; if they do not agree, the sale stays paused.</p>
    </ActDialog>
  )
}

const pausedDate = ({ pause }: SaleState) => pause?.since ?? null

/** Resumes despite the faults that it lists, and no others; only accepts them after a freeze. */
function ForceDialog({ seen, onClose }: Omit<StateDialogProps, 'act'>) {
  const shown = [...(seen.check?.breaches ?? []), ...(seen.check?.not_run ?? [])]
  const faults = shown.map(({ name }) => name)
  const isFrozen = seen.snapshot !== null
  return (
    <ActDialog
      title={isFrozen ? 'Accept the faults' : 'Resume despite the faults'}
      confirm={isFrozen ? 'Accept' : 'Resume'}
      isDangerous
      done={isFrozen ? 'The faults are accepted.' : 'The sale has resumed.'}
      endpoint={operatorContract.resumeSale}
      input={() => ({ body: { force: true, faults, paused_date: pausedDate(seen) } })}
      onClose={onClose}
    >
      <p>
        {isFrozen
          ? 'The sale stays paused, but these breaches no longer stop a correction: it takes what ' +
            'they say into the next snapshot. Make sure that you know what they are.'
          : 'The books do not agree, or could not be checked. These breaches do not pause the sale ' +
            'again, so make sure that you know what they are. If there are others by now, the sale ' +
            'stays paused.'}
      </p>
      <Faults title="The faults" faults={shown} />
    </ActDialog>
  )
}

type Fault = { name: string; check: string; fault: string; is_accepted?: boolean }

interface FaultsProps {
  title: string
  faults: readonly Fault[]
}

function Faults({ title, faults }: FaultsProps) {
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-14 font-strong">{title}</h3>
      <ul className="flex flex-col gap-2 text-14">
        {faults.map(({ check, fault, is_accepted: isAccepted = false }) => (
          <li key={`${check} ${fault}`} className="flex flex-wrap items-center gap-2">
            <Chip tone={isAccepted ? 'neutral' : 'error'}>{isAccepted ? 'Accepted' : check}</Chip>
            <span className="min-w-0 wrap-anywhere">{fault}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
