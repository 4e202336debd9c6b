import { QRCodeSVG } from 'qrcode.react'

export interface QrImageProps {
  value: string
  /** Side in CSS pixels; 160 in the product (specification section 9). */
  size: number
  /** What it is, for those who do not see it. */
  title: string
}

/** The code itself, black on white in every theme; use `QrCode`, which fetches this. */
export function QrImage({ value, size, title }: QrImageProps) {
  return (
    <QRCodeSVG
      value={value}
      size={size}
      title={title}
      level="M"
      bgColor="#ffffff"
      fgColor="#000000"
      role="img"
      data-qr-value={value}
    />
  )
}
