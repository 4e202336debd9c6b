import { CodesToSave, type CodesTexts } from '#web/ui/fields/codes-to-save.tsx'

interface RecoveryCodesProps {
  codes: readonly string[]
  onClose: () => void
}

const texts: CodesTexts = {
  codesTitle: 'Recovery codes',
  codesWhat:
    'Each of these codes signs you in once, with your password, when your second factor is out of ' +
    'reach. They are shown only once: keep them where you can find them without your devices.',
  copyCodes: 'Copy',
  copied: 'Copied',
  notCopied: 'The browser does not allow copying. Select the codes and copy them',
  downloadCodes: 'Save as a file',
  codesFile: 'console-recovery-codes.txt',
  codesSaved: 'I have saved them',
  done: 'Done',
}

export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <div className="flex flex-col gap-4">
      <CodesToSave codes={codes} texts={texts} onClose={onClose} />
    </div>
  )
}
