import { useEffect, useState } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import type { QrImageProps } from './qr-image.tsx'

const QrImage = lazyComponent(() => import('./qr-image.tsx'), 'QrImage')

/**
 * A QR code on white with its quiet zone, so that every camera can read it in every theme, and with
 * the system's colours. If its code cannot be loaded, what it would say is still there as text; the
 * next one shown asks for the code again.
 */
export function QrCode(props: QrImageProps) {
  const [isLoaded, setLoaded] = useState<boolean>()
  useEffect(() => void QrImage.load().then(setLoaded), [])
  if (isLoaded === false) return null
  return (
    <div className="inline-flex rounded-control bg-white p-4 forced-color-adjust-none">
      {isLoaded ? (
        <QrImage {...props} />
      ) : (
        <span style={{ width: props.size, height: props.size }} />
      )}
    </div>
  )
}
