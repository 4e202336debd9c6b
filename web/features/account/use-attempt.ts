import { useState } from 'react'
import { toast } from '#web/ui/feedback/toast-store.ts'

/**
 * For a button that makes a call: whether it is on its way, and a way to make it once at a time. A
 * failure is told by the server's message, or by `failed` where it has none.
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
