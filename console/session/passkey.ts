import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import * as z from 'zod/mini'
import {
  NewPasskey,
  type PasskeyCreation,
  type PasskeyRequest,
  UsedPasskey,
} from '#contract/operator/passkeys.ts'
import { deviceName } from '#domain/accounts/device.ts'
import { messageOf } from '#web/lib/api/call.ts'

/** Whether this browser supports passkeys at this address: without https only `localhost` does. */
export const hasPasskeys = browserSupportsWebAuthn

/** Lets the browser make a passkey, with whatever device its user chooses. */
export async function makePasskey(options: PasskeyCreation): Promise<NewPasskey> {
  return z.parse(NewPasskey, withoutUndefined(await startRegistration({ optionsJSON: options })))
}

export async function signWithPasskey(options: PasskeyRequest): Promise<UsedPasskey> {
  return z.parse(UsedPasskey, withoutUndefined(await startAuthentication({ optionsJSON: options })))
}

/** What to say if a passkey did not work: browsers' messages are not meant for people. */
export function passkeyFault(error: unknown, fallback: string): string {
  if (!(error instanceof Error)) return fallback
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') {
    return 'The browser got no passkey. Try again, or choose another way'
  }
  if (error.name === 'InvalidStateError') return 'This device already has a passkey of yours'
  return messageOf(error, fallback)
}

/** JSON has no `undefined`, so such fields are left out. */
function withoutUndefined(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer))
}

/** The name of a passkey made in this browser until its owner names it: `Chrome on Mac`. */
export function deviceWord(): string {
  return deviceName(navigator.userAgent)
}
