import { Link } from 'react-router'
import { useEffect, useRef } from 'react'
import { useProject } from '#web/features/project/queries.ts'
import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { chooseLanguage, isLanguage, languages, useLanguage } from '#web/messages/language.ts'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { useMailLanguage } from './use-mail-language.ts'

/** A touch target on devices with a touch screen. */
const link =
  'inline-block min-w-11 py-1.5 pointer-coarse:py-3 text-14 text-quiet transition-colors ' +
  'hover:text-ink'

/** The project's links by group, its tagline and launch notice, and the legal pages. */
export function Footer() {
  const { layout } = useMessages()
  const project = useProject()
  return (
    <footer className="mt-auto border-t border-hairline print:hidden">
      <div className="mx-auto flex min-h-80 max-w-[1280px] flex-col gap-10 px-4 py-10 sm:px-6">
        {project !== undefined && (
          <>
            <div className="grid grid-cols-2 gap-8 md:grid-cols-4 lg:grid-cols-6">
              <div className="col-span-full lg:col-span-2">
                <p className="text-20 font-strong">{project.tagline}</p>
                <p className="mt-1 text-14 text-quiet">{project.launch_notice}</p>
              </div>
              {Object.entries(project.links.footer).map(([group, links]) => (
                <nav key={group} aria-label={group}>
                  <h2 className="mb-1 text-14 font-strong">{group}</h2>
                  <ul>
                    {Object.entries(links).map(([label, url]) => (
                      <li key={label}>
                        <a href={url} target="_blank" rel="noreferrer" className={link}>
                          {label}
                        </a>
                      </li>
                    ))}
                  </ul>
                </nav>
              ))}
            </div>
            <div className="mt-auto flex flex-wrap items-center gap-x-6 border-t border-hairline pt-4">
              <p className="mr-auto py-1.5 text-14 text-quiet">
                {layout.copyright(project.copyright_year, project.name)}
              </p>
              <LanguageSelect />
              <div className="flex flex-wrap gap-x-6">
                <Link to={paths.terms} className={link}>
                  {layout.terms}
                </Link>
                <Link to={paths.privacyPolicy} className={link}>
                  {layout.privacyPolicy}
                </Link>
              </div>
            </div>
          </>
        )}
      </div>
    </footer>
  )
}

/**
 * The language of the interface; each is listed by its own name. A native control, which costs
 * nothing to load and which a phone shows in its own way.
 */
function LanguageSelect() {
  const { layout } = useMessages()
  const { language } = useLanguage()
  const followWithMails = useMailLanguage()
  const wasChosen = useRef(false)
  useEffect(() => {
    // Announced in the new language for screen readers.
    if (wasChosen.current) toast.success(layout.languageChosen)
    wasChosen.current = false
  }, [layout])
  async function choose(chosen: string) {
    if (!isLanguage(chosen)) return
    wasChosen.current = true
    try {
      await chooseLanguage(chosen)
      await followWithMails(chosen)
    } catch {
      wasChosen.current = false
      toast.error(layout.languageFailed)
    }
  }
  return (
    <select
      aria-label={layout.language}
      value={language}
      // Without it a browser would restore an earlier choice on reload.
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
