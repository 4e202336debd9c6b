import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'

/** Side in CSS pixels; that of every QR code of the product. */
const QR_SIZE = 160

export function AuthenticatorSecret({ secret, uri }: { secret: string; uri: string }) {
  return (
    <div className="flex flex-col gap-4">
      <p>Scan this with your authenticator app, or type the secret into it.</p>
      <div className="flex flex-col items-start gap-4 sm:flex-row">
        <QrCode value={uri} size={QR_SIZE} title="QR code of the secret" />
        <div className="w-full min-w-0 flex-1">
          <CopyField label="Secret" value={secret}>
            <span className="font-mono">{secret.match(/.{1,4}/g)?.join(' ') ?? secret}</span>
          </CopyField>
        </div>
      </div>
    </div>
  )
}
