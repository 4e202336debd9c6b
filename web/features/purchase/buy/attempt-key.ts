import { useState } from 'react'

export interface AttemptKeys {
  /** The key for what the form holds: the same again for a retry, a new one for other content. */
  keyFor: (content: string) => string
  /**
   * The attempt succeeded or cannot be repeated: the same content is a new purchase from now on.
   */
  finish: () => void
}

/** Keys that let the server recognise a purchase that is sent again after a lost answer. */
export function createAttemptKeys(newKey: () => string = randomKey): AttemptKeys {
  let attempt: { content: string; key: string } | null = null
  return {
    keyFor(content) {
      if (attempt?.content !== content) attempt = { content, key: newKey() }
      return attempt.key
    },
    finish() {
      attempt = null
    },
  }
}

export function useAttemptKeys(): AttemptKeys {
  const [keys] = useState(() => createAttemptKeys())
  return keys
}

/** `crypto.randomUUID` is missing on plain http outside localhost; this is not. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
