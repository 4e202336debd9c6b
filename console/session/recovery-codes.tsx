import { Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { copyText } from '#web/lib/copy-text.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/actions/button.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'

interface RecoveryCodesProps {
  codes: readonly string[]
  onClose: () => void
}

/** The recovery codes, shown only once, until the person confirms having saved them. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const [isSaved, setSaved] = useState(false)
  const text = `${codes.join('\n')}\n`
  const copy = () =>
    copyText(text).then(
      () => toast.success('Copied'),
      () => toast.error('The browser does not allow copying. Select the codes and copy them'),
    )
  return (
    <div className="flex flex-col gap-4">
      <p>
        Each of these codes signs you in once, with your password, when your second factor is out of
        reach. They are shown only once: keep them where you can find them without your devices.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-control border border-hairline bg-raised p-4 font-mono"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" onClick={() => void copy()} className="w-full sm:w-auto">
          <Copy size={16} aria-hidden="true" />
          Copy
        </Button>
        <Button
          variant="secondary"
          onClick={() => saveFile('console-recovery-codes.txt', text, 'text/plain')}
          className="w-full sm:w-auto"
        >
          <Download size={16} aria-hidden="true" />
          Save as a file
        </Button>
      </div>
      <Checkbox
        label="I have saved them"
        checked={isSaved}
        keepsErrorLine={false}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      <Button disabled={!isSaved} onClick={onClose} className="w-full sm:w-auto sm:self-start">
        Done
      </Button>
    </div>
  )
}
