import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { Button } from '#web/ui/actions.tsx'

interface FormButtonsProps {
  action: string
  isBusy: boolean
  isDangerous?: boolean
  /** Left out if the form has to be filled in. */
  onCancel?: (() => void) | undefined
}

export function FormButtons({ action, isBusy, isDangerous = false, onCancel }: FormButtonsProps) {
  const security = useSecurityTexts()
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        type="submit"
        variant={isDangerous ? 'danger' : 'primary'}
        isBusy={isBusy}
        className="flex-1 sm:flex-none"
      >
        {action}
      </Button>
      {onCancel !== undefined && (
        <Button variant="quiet" onClick={onCancel}>
          {security.cancel}
        </Button>
      )}
    </div>
  )
}
