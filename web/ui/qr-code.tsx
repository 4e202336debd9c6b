import { Suspense } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import type { QrImageProps } from './qr-image.tsx'

/** If its code cannot be loaded, what it would say is still there as text. */
const QrImage = lazyComponent(
  () => import('./qr-image.tsx').catch(() => ({ QrImage: () => null })),
  'QrImage',
)

/**
 * A QR code on white with its quiet zone, so that every camera can read it in every theme, and with
 * the system's colours.
 */
export function QrCode(props: QrImageProps) {
  return (
    <div className="inline-flex rounded-control bg-white p-4 empty:hidden forced-color-adjust-none">
      <Suspense fallback={<span style={{ width: props.size, height: props.size }} />}>
        <QrImage {...props} />
      </Suspense>
    </div>
  )
}
