import { useEffect, useRef } from 'react'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { CodesToSave } from '#web/ui/fields/codes-to-save.tsx'

export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const security = useSecurityTexts()
  const { ui } = useMessages()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex flex-col gap-4">
      <h3 ref={heading} tabIndex={-1} className="text-16 outline-none">
        {security.codesTitle}
      </h3>
      <CodesToSave codes={codes} texts={{ ...ui, ...security }} onClose={onClose} />
    </div>
  )
}
