import {
  useEffect,
  useId,
  useRef,
  useState,
  type FormEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { Endpoint, InputOf, ResultOf } from '#contract/endpoint.ts'
import { type Approval, WaitsForApproval } from '#contract/operator/approvals.ts'
import { CallError, call, messageOf, resultOf, send } from '#web/lib/api/call.ts'
import { Button } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { FieldError } from '#web/ui/fields/text-field.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { keepFocus } from './keep-focus.ts'

interface ActDialogProps<E extends Endpoint> {
  /** What is about to be done: 'Hold this purchase'. */
  title: string
  /** What it does, before it is done. */
  children?: ReactNode
  /** The words of the button: 'Hold'. */
  confirm: string
  isDangerous?: boolean
  /** The words of the button that does nothing, if `Cancel` could be mistaken for the act. */
  dismiss?: string
  /** Asks for a reason, which is kept with the act. */
  asksReason?: boolean
  endpoint: E
  /** What is sent. Gets the reason, trimmed; empty if none is asked for. */
  input: (reason: string) => InputOf<E>
  onActed?: (acted: Acted<E>) => void
  /** Gets why it failed, to show it at a field too. */
  onRefused?: (error: unknown) => void
  /** Shown if it is done at once: 'The purchase is held.' */
  done?: string
  /**
   * Shown in place of the form once it is done, such as a new secret, with the button that closes
   * it; if it is null, `done` is.
   */
  renderResult?: (result: ResultOf<E>) => ReactNode
  size?: 'wide'
  onClose: () => void
}

const REASON_LENGTH_MAX = 500

/**
 * Refetches everything on the page. `findUnread`: the refusal of the act, if its dialog is gone by
 * then with what it was about, which somebody else has dealt with.
 */
async function refetch(client: QueryClient, findUnread: () => string | undefined) {
  await client.invalidateQueries()
  keepFocus()
  requestAnimationFrame(() => {
    const unread = findUnread()
    if (unread !== undefined) toast.error(unread)
  })
}

/**
 * Asks before an act, and does it. Says whether it is done or waits for a second person. A refusal
 * is shown in the dialog, which stays open, or in a toast if that is gone. Everything on the page
 * is then refetched.
 */
export function ActDialog<E extends Endpoint>(props: ActDialogProps<E>) {
  const { title, children, asksReason = false, size, onClose } = props
  const client = useQueryClient()
  const reasonId = useId()
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [shown, setShown] = useState<ReactNode>(null)
  const formRef = useRef<HTMLFormElement>(null)
  /** The last refusal, unless it was followed by another try, or read and closed. */
  const refusedRef = useRef<string>(undefined)
  useFocusOnFault(formRef, fault)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const given = reason.trim()
    if (asksReason && given === '') return setFault('Say in a few words why.')
    setBusy(true)
    refusedRef.current = undefined
    try {
      const acted = await act(props.endpoint, props.input(given))
      props.onActed?.(acted)
      const result = acted.waits === null ? (props.renderResult?.(acted.result) ?? null) : null
      if (result !== null) return setShown(result)
      if (acted.waits === null) toast.success(props.done ?? '')
      else toast.success('A second person has to approve this. It waits under Approvals.')
      onClose()
    } catch (error) {
      props.onRefused?.(error)
      const refused = actFault(error)
      refusedRef.current = refused
      setFault(refused)
    } finally {
      setBusy(false)
      void refetch(client, () => (formRef.current === null ? refusedRef.current : undefined))
    }
  }

  function close() {
    refusedRef.current = undefined
    onClose()
  }

  return (
    <Dialog isOpen title={title} {...(size && { size })} isHeld={shown !== null} onClose={close}>
      {shown ?? (
        <form
          ref={formRef}
          onSubmit={(event) => void submit(event)}
          onInput={() => setFault(undefined)}
          className="flex flex-col gap-4"
        >
          {children}
          {asksReason && (
            <ReasonField
              id={reasonId}
              value={reason}
              isInvalid={fault !== undefined}
              onChange={setReason}
            />
          )}
          <FieldError id={`${reasonId}-error`} error={fault} />
          <DialogButtons {...props} isBusy={isBusy} onClose={close} />
        </form>
      )}
    </Dialog>
  )
}

/** Moves the focus to the first field that is at fault. */
function useFocusOnFault(formRef: RefObject<HTMLFormElement | null>, fault: string | undefined) {
  useEffect(() => {
    const faulty = formRef.current?.querySelector('[aria-invalid="true"], [data-invalid]')
    if (fault !== undefined && faulty instanceof HTMLElement) faulty.focus()
  }, [formRef, fault])
}

interface ReasonFieldProps {
  /** With `-error` behind it, of what is wrong. */
  id: string
  value: string
  isInvalid: boolean
  onChange: (reason: string) => void
}

function ReasonField({ id, value, isInvalid, onChange }: ReasonFieldProps) {
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-14 font-medium">
        Reason
      </label>
      <textarea
        id={id}
        value={value}
        maxLength={REASON_LENGTH_MAX}
        rows={3}
        aria-invalid={isInvalid || undefined}
        aria-describedby={`${id}-error`}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="rounded-control border border-edge bg-raised px-3 py-2 text-16 hover:border-quiet"
      />
    </div>
  )
}

/**
 * The text fields of a dialog for an act. If the server refuses what is in one of them, it says so
 * until the field is changed.
 */
export function useFields<Name extends string>(initial: Record<Name, string>) {
  const [values, setValues] = useState(initial)
  const [faults, setFaults] = useState<Partial<Record<string, string>>>({})
  return {
    /** What is in a field, without spaces around it. */
    valueOf: (name: Name) => values[name].trim(),
    field: (name: Name) => ({
      value: values[name],
      error: faults[name],
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
        setValues((before) => ({ ...before, [name]: currentTarget.value }))
        setFaults((before) => ({ ...before, [name]: undefined }))
      },
    }),
    /** Why something else than a text was refused. */
    errorOf: (name: string) => faults[name],
    /** Shows a refusal at its fields. */
    refuse(error: unknown) {
      // Of several faults of a field the first is shown.
      const found = error instanceof CallError ? error.errors.toReversed() : []
      setFaults(
        Object.fromEntries(found.map(({ path, message }) => [path.split('.')[0] ?? '', message])),
      )
    },
  }
}

interface DialogButtonsProps {
  /** The words of the button that sends the form. */
  confirm: string
  isBusy: boolean
  isDangerous?: boolean
  /** The words of the button that does nothing. */
  dismiss?: string
  onClose: () => void
}

export function DialogButtons(props: DialogButtonsProps) {
  const { confirm, isBusy, isDangerous = false, dismiss = 'Cancel', onClose } = props
  return (
    <div className="flex flex-wrap justify-end gap-3">
      <Button variant="secondary" onClick={onClose}>
        {dismiss}
      </Button>
      <Button type="submit" variant={isDangerous ? 'danger' : 'primary'} isBusy={isBusy}>
        {confirm}
      </Button>
    </div>
  )
}

const ACCEPTED = 202

/** What became of an act: its result, or the approval for which it waits. */
type Acted<E extends Endpoint> =
  | { waits: null; result: ResultOf<E> }
  | { waits: Approval; result: null }

/** What to say if an act fails: without an answer nobody knows whether it was done. */
export const actFault = (error: unknown): string =>
  messageOf(error, 'The server does not answer. Check whether it was done before you try again.')

/** Makes a call that may have to wait for a second person. Rejects with a `CallError`. */
async function act<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<Acted<E>> {
  if (endpoint.mayWait !== true) return { waits: null, result: await call(endpoint, input) }
  const response = await send(endpoint, input)
  if (response.status !== ACCEPTED) {
    return { waits: null, result: await resultOf(endpoint, response) }
  }
  return { waits: z.parse(WaitsForApproval, await response.json()).approval, result: null }
}
