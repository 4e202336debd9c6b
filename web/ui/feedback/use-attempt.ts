import { useState } from 'react'
import { toast } from './toast-store.ts'

/**
 * For a button that makes a call: whether the call is running, and a function that starts it unless
 * it is. A failure is shown with the server's message, or `failed` if it has none; a function shows
 * it in another way.
 */
export function useAttempt(
  action: () => Promise<void>,
  failed: string | ((error: unknown) => void),
) {
  const [isBusy, setBusy] = useState(false)
  async function attempt() {
    if (isBusy) return
    setBusy(true)
    try {
      await action()
    } catch (error) {
      if (typeof failed === 'string') toast.failed(error, failed)
      else failed(error)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, attempt: () => void attempt() }
}
