import { useEffect, useRef } from 'react'
import { chooseLanguage, isLanguage, languages, useLanguage } from '#web/messages/language.ts'
import { useMessages } from '#web/messages/en.ts'
import { toast } from '#web/ui/feedback/toast-store.ts'

/**
 * The language of the interface; each stands there by its own name. A native control, which costs
 * nothing to load and which a phone shows in its own way.
 */
export function LanguageSelect() {
  const { layout } = useMessages()
  const { language } = useLanguage()
  const wasChosen = useRef(false)
  useEffect(() => {
    // Said in the new language, for who does not see the page change.
    if (wasChosen.current) toast.success(layout.languageChosen)
    wasChosen.current = false
  }, [layout])
  async function choose(chosen: string) {
    if (!isLanguage(chosen)) return
    wasChosen.current = true
    try {
      await chooseLanguage(chosen)
    } catch {
      wasChosen.current = false
      toast.error(layout.languageFailed)
    }
  }
  return (
    <select
      aria-label={layout.language}
      value={language}
      // A browser that fills it in with what it was once would choose for the reader.
      autoComplete="off"
      onChange={(event) => void choose(event.target.value)}
      className="min-h-11 cursor-pointer rounded-control border border-hairline bg-ground px-3 text-14 text-quiet transition-colors hover:text-ink noscript:hidden"
    >
      {Object.entries(languages).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  )
}
