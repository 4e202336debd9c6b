import { createHmac, timingSafeEqual } from 'node:crypto'

import { isPrivate } from '#server/payments/chains/nodes/node-urls.ts'
import { Fault, secret } from '#server/payments/variables.ts'
import type { Secret } from '#server/ports/runtime.ts'

/** The base address of an API; keys are sent over encrypted connections only. */
export function parseApiUrl(text: string): string | Fault {
  const url = URL.parse(text)
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isPrivate(url.hostname))
  const isBare = url !== null && url.search === '' && url.hash === '' && url.username === ''
  return isSafe && isBare
    ? url.href.replace(/\/$/, '')
    : new Fault('must be an address that begins with https://, without a login or a query')
}

/** One secret, or the new and the old one during a replacement. */
export function parseSecrets(text: string): readonly Secret[] | Fault {
  const words = text.split(/\s+/).filter((word) => word !== '')
  return words.length === 1 || words.length === 2
    ? words.map(secret)
    : new Fault('must be one secret, or a new and an old one with a space between')
}

/** Whether one of the secrets signed one of `forms`; tries all, in constant time. */
export function isSigned(
  algorithm: 'sha256' | 'sha512',
  secrets: readonly Secret[],
  forms: readonly (string | Uint8Array)[],
  signature: string,
): boolean {
  const given = Buffer.from(signature, 'hex')
  let isRight = false
  for (const secret of secrets) {
    for (const form of forms) {
      const expected = createHmac(algorithm, secret.reveal()).update(form).digest()
      isRight = timingSafeEqual(expected, given) || isRight
    }
  }
  return isRight
}
