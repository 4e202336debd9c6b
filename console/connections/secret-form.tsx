import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { actFault } from '#console/kit/act-dialog.tsx'
import { CallError } from '#web/lib/api/call.ts'
import { Button } from '#web/ui/actions.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'

/** Why the form of a dialog was refused: by field, and as a whole. */
interface FormFaults {
  fields: Record<string, string>
  form: string | undefined
}

const NONE: FormFaults = { fields: {}, form: undefined }

/**
 * Sends a form: shows refusals by field, moves the focus to the first, and refetches everything on
 * the page.
 */
export function useSubmit(send: () => Promise<void>) {
  const client = useQueryClient()
  const [faults, setFaults] = useState<FormFaults>(NONE)
  const [isBusy, setBusy] = useState(false)
  const formRef = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const faulty = formRef.current?.querySelector('[aria-invalid="true"], [data-invalid]')
    if (faulty instanceof HTMLElement) faulty.focus()
  }, [faults])
  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setFaults(NONE)
    try {
      await send()
    } catch (error) {
      setFaults(faultsOf(error))
    } finally {
      setBusy(false)
      void client.invalidateQueries()
    }
  }
  return { faults, isBusy, formRef, onSubmit: (event: FormEvent) => void submit(event) }
}

function faultsOf(error: unknown): FormFaults {
  if (error instanceof CallError && error.errors.length > 0) {
    const fields = error.errors.map(({ path, message }) => [path.split('.')[0] ?? '', message])
    return { fields: Object.fromEntries(fields) as Record<string, string>, form: undefined }
  }
  return { fields: {}, form: actFault(error) }
}

interface ShownOnceProps {
  /** What it is: 'Signing secret'. */
  label: string
  secret: string
  /** What to do with it. */
  children: ReactNode
  onClose: () => void
}

/** A secret that nobody can show again, and buttons to save it. */
export function ShownOnce({ label, secret, children, onClose }: ShownOnceProps) {
  return (
    <>
      <p role="status">
        <strong className="font-strong">Copy it now: it is not shown again.</strong> {children}
      </p>
      <CopyField label={label} value={secret}>
        <code className="text-14 wrap-anywhere">{secret}</code>
      </CopyField>
      <Button onClick={onClose} className="self-end">
        I have saved it
      </Button>
    </>
  )
}
