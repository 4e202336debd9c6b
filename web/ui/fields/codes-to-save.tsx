import { useState } from 'react'
import { Copy, Download } from 'lucide-react'
import { copyText } from '#web/lib/copy-text.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { Checkbox } from './checkbox.tsx'

export interface CodesTexts {
  /** Names the list of codes for screen readers. */
  codesTitle: string
  codesWhat: string
  copyCodes: string
  copied: string
  notCopied: string
  downloadCodes: string
  codesFile: string
  codesSaved: string
  done: string
}

interface CodesToSaveProps {
  codes: readonly string[]
  texts: CodesTexts
  onClose: () => void
}

/** Recovery codes, shown only once, until whoever they are for confirms having saved them. */
export function CodesToSave({ codes, texts, onClose }: CodesToSaveProps) {
  const [isSaved, setSaved] = useState(false)
  const text = `${codes.join('\n')}\n`
  async function copy() {
    try {
      await copyText(text)
      toast.success(texts.copied)
    } catch {
      toast.error(texts.notCopied)
    }
  }

  return (
    <>
      <p>{texts.codesWhat}</p>
      <ul
        aria-label={texts.codesTitle}
        className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-control border border-hairline bg-raised p-4 font-mono"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" onClick={() => void copy()} className="w-full sm:w-auto">
          <Copy size={16} />
          {texts.copyCodes}
        </Button>
        <Button
          variant="secondary"
          onClick={() => saveFile(texts.codesFile, text, 'text/plain')}
          className="w-full sm:w-auto"
        >
          <Download size={16} />
          {texts.downloadCodes}
        </Button>
      </div>
      <Checkbox
        label={texts.codesSaved}
        checked={isSaved}
        keepsErrorLine={false}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      <Button disabled={!isSaved} onClick={onClose} className="w-full sm:w-auto sm:self-start">
        {texts.done}
      </Button>
    </>
  )
}
