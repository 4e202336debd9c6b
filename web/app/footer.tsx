import { useEffect, useRef } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Project } from '#contract/shapes.ts'
import { projectQuery, useProject } from '#web/features/project/queries.ts'
import { paths } from '#web/lib/paths.ts'
import {
  chooseLanguage,
  isLanguage,
  languages,
  useLanguage,
  type Language,
} from '#web/messages/language.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useUser, useSession } from '#web/session/session-context.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { classNames } from '#web/ui/style/class-names.ts'

/** A touch target on devices with a touch screen. */
const link =
  'inline-block min-w-11 py-1.5 pointer-coarse:py-3 text-14 text-quiet transition-colors ' +
  'hover:text-ink'

/**
 * The project's tagline and launch notice, its links by group, and the legal pages. Logged-in users
 * have come for other things, so these take less room for them.
 */
export function Footer() {
  const project = useProject()
  const isLoggedIn = useUser() !== null
  return (
    <footer className="mt-auto border-t border-hairline print:hidden">
      {project !== undefined && (
        <div
          className={classNames(
            'mx-auto flex max-w-[1280px] flex-col px-4 sm:px-6',
            isLoggedIn ? 'gap-2 py-3' : 'gap-10 py-10',
          )}
        >
          {isLoggedIn ? (
            <Groups project={project} className="py-4" />
          ) : (
            <div className="grid gap-8 lg:grid-cols-3">
              <Tagline project={project} />
              <Groups project={project} className="lg:col-span-2" />
            </div>
          )}
          <LegalLine project={project} isLoggedIn={isLoggedIn} />
        </div>
      )}
    </footer>
  )
}

function Tagline({ project }: { project: Project }) {
  const saleText = useSaleText(project)
  return (
    <div>
      <p className="text-20 font-strong">{saleText(project.tagline)}</p>
      <p className="mt-1 text-14 text-quiet">{saleText(project.launch_notice)}</p>
    </div>
  )
}

/** The project's links, in as many columns as there is room for. */
function Groups({ project, className }: { project: Project; className: string }) {
  const saleText = useSaleText(project)
  return (
    <div
      className={classNames(
        'grid grid-cols-[repeat(auto-fill,minmax(min(100%,9rem),1fr))] gap-8',
        className,
      )}
    >
      {Object.entries(project.links.footer).map(([group, links]) => (
        <nav key={group} aria-label={saleText(group)}>
          <h2 className="mb-1 text-14 font-strong">{saleText(group)}</h2>
          <ul>
            {Object.entries(links).map(([label, url]) => (
              <li key={label}>
                <a href={url} target="_blank" rel="noreferrer" className={link}>
                  {saleText(label)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      ))}
    </div>
  )
}

interface LegalLineProps {
  project: Project
  /** Then this line says what is otherwise above it. */
  isLoggedIn: boolean
}

function LegalLine({ project, isLoggedIn }: LegalLineProps) {
  const { layout } = useMessages()
  const saleText = useSaleText(project)
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-1 border-t border-hairline pt-4">
      <p className="mr-auto flex flex-wrap gap-x-4 py-1.5 text-14 text-quiet">
        <span>{layout.copyright(project.copyright_year, project.name)}</span>
        {isLoggedIn && (
          <>
            <span>{saleText(project.tagline)}</span>
            <span>{saleText(project.launch_notice)}</span>
          </>
        )}
      </p>
      <LanguageSelect />
      <div className="flex flex-wrap gap-x-6">
        {!isLoggedIn && (
          <Link to={paths.info} className={`${link} -mr-4`}>
            {layout.pages.info}
          </Link>
        )}
        <Link to={paths.terms} className={link}>
          {layout.terms}
        </Link>
        <Link to={paths.privacyPolicy} className={link}>
          {layout.privacyPolicy}
        </Link>
      </div>
    </div>
  )
}

/**
 * The language of the interface; each is listed under its own name. A native control, which costs
 * nothing to load and which phones show in their own way.
 */
function LanguageSelect() {
  const { layout } = useMessages()
  const { language } = useLanguage()
  const followWithMails = useMailLanguage()
  const queries = useQueryClient()
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
      // The page was sent with the sale's own texts in its language only.
      void queries.invalidateQueries({ queryKey: projectQuery.queryKey })
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

/**
 * Makes a logged-in user's mails follow the language of the page. It never rejects: the page has
 * its language either way.
 */
function useMailLanguage(): (language: Language) => Promise<void> {
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
