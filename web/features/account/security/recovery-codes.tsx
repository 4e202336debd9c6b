import { useEffect, useRef, useState } from 'react'
import { Copy, Download } from 'lucide-react'
import { copyText } from '#web/lib/copy-text.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { Button } from '#web/ui/actions/button.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'

interface RecoveryCodesProps {
  codes: string[]
  onClose: () => void
}

/** The recovery codes, shown only once, until the user confirms having saved them. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const security = useSecurityTexts()
  const { ui } = useMessages()
  const [isSaved, setSaved] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const text = `${codes.join('\n')}\n`
  async function copy() {
    try {
      await copyText(text)
      toast.success(ui.copied)
    } catch {
      toast.error(ui.notCopied)
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <h3 ref={heading} tabIndex={-1} className="text-16 outline-none">
        {security.codesTitle}
      </h3>
      <p>{security.codesWhat}</p>
      <ul
        aria-label={security.codesTitle}
        className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-control border border-hairline bg-raised p-4 font-mono"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" onClick={() => void copy()} className="w-full sm:w-auto">
          <Copy size={16} aria-hidden="true" />
          {security.copyCodes}
        </Button>
        <Button
          variant="secondary"
          onClick={() => saveFile(security.codesFile, text, 'text/plain')}
          className="w-full sm:w-auto"
        >
          <Download size={16} aria-hidden="true" />
          {security.downloadCodes}
        </Button>
      </div>
      <Checkbox
        label={security.codesSaved}
        checked={isSaved}
        keepsErrorLine={false}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      <Button disabled={!isSaved} onClick={onClose} className="w-full sm:w-auto sm:self-start">
        {security.done}
      </Button>
    </div>
  )
}
