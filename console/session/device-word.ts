import { deviceName } from '#domain/accounts/device.ts'

/** The name of a passkey made in this browser until its owner names it: `Chrome on Mac`. */
export function deviceWord(): string {
  return deviceName(navigator.userAgent)
}
