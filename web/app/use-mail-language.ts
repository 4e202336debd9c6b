import { useEffect, useRef } from 'react'
import type { Language } from '#web/messages/language.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSession } from '#web/session/session-context.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'

/**
 * Makes a logged-in user's mails follow the language of the page. It never rejects: the page has
 * its language either way.
 */
export function useMailLanguage(): (language: Language) => Promise<void> {
  const session = useSession()
  const { layout } = useMessages()
  const texts = useRef(layout)
  useEffect(() => {
    texts.current = layout
  }, [layout])
  return async (language) => {
    if (session.read().status === 'logged-out') return
    try {
      await session.updateUser({ language })
    } catch {
      toast.error(texts.current.mailLanguageFailed)
    }
  }
}
