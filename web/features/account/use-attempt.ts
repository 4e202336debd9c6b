import { useState } from 'react'
import { toast } from '#web/ui/feedback/toast-store.ts'

/**
 * For a button that makes a call: whether the call is running, and a function that starts it unless
 * it is. A failure is shown with the server's message, or `failed` if it has none.
 */
export function useAttempt(failed: string) {
  const [isBusy, setBusy] = useState(false)
  async function attempt(action: () => Promise<void>) {
    if (isBusy) return
    setBusy(true)
    try {
      await action()
    } catch (error) {
      toast.failed(error, failed)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, attempt: (action: () => Promise<void>) => void attempt(action) }
}
