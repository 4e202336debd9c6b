import { deviceName } from '#domain/accounts/device.ts'

/** What a passkey of this browser is called until its owner names it: `Chrome on Mac`. */
export function deviceWord(): string {
  return deviceName(navigator.userAgent)
}
