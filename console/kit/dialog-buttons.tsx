import { Button } from '#web/ui/actions/button.tsx'

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
