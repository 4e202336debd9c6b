import type { ReactNode } from 'react'
import { Check, X } from 'lucide-react'
import { useMessages } from '#web/messages/use-messages.ts'
import { classNames } from '#web/ui/style/class-names.ts'
import { Spinner } from '#web/ui/actions.tsx'

type StepState = 'waiting' | 'current' | 'done' | 'failed'

export interface ProgressStep {
  label: ReactNode
  state: StepState
  detail?: ReactNode
  /** Replaces the state's icon, for example if it is waiting for somebody. */
  mark?: ReactNode
}

const marks: Record<StepState, ReactNode> = {
  waiting: <span className="size-2 rounded-pill bg-edge forced-color-adjust-none" />,
  current: <Spinner size={16} />,
  done: <Check size={16} />,
  failed: <X size={16} />,
}

const looks: Record<StepState, string> = {
  waiting: 'border-edge text-quiet',
  current: 'border-accent text-accent',
  done: 'border-success bg-success/14 text-success',
  failed: 'border-error bg-error/14 text-error',
}

/** A row of steps, each with its state; the current one is announced to screen readers. */
export function ProgressSteps({ label, steps }: { label: string; steps: ProgressStep[] }) {
  const { ui } = useMessages()
  return (
    <ol aria-label={label} className="flex flex-col">
      {steps.map((step, index) => (
        <li
          key={index}
          aria-current={step.state === 'current' ? 'step' : undefined}
          data-state={step.state}
          className="relative flex gap-3 pb-4 last:pb-0"
        >
          {index < steps.length - 1 && (
            <span
              aria-hidden="true"
              className={classNames(
                'absolute top-8 bottom-0 left-4 w-px',
                step.state === 'done' ? 'bg-success' : 'bg-hairline',
              )}
            />
          )}
          <span
            aria-hidden="true"
            className={classNames(
              'flex size-8 shrink-0 items-center justify-center rounded-pill border transition-colors',
              looks[step.state],
            )}
          >
            {step.mark ?? marks[step.state]}
          </span>
          <span className="flex min-w-0 flex-col self-center">
            <span className={classNames(step.state === 'waiting' ? 'text-quiet' : 'font-medium')}>
              {step.label}
              <span className="sr-only"> {ui.stepStates[step.state]}</span>
            </span>
            {step.detail !== undefined && (
              <span className="tabular text-14 text-quiet">{step.detail}</span>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}
