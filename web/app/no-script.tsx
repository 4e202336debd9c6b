import { Link } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { staticPage } from '#web/messages/en/static-page.ts'
import { useMessages } from '#web/messages/use-messages.ts'

/** What a page that cannot do without scripts says to who has switched them off. */
export function NoScript() {
  const { layout } = useMessages()
  return (
    <noscript>
      <main className="mx-auto flex max-w-[65ch] flex-col gap-4 px-4 py-12">
        <h1 className="text-25">{staticPage.noScriptTitle}</h1>
        <p className="text-quiet">{staticPage.noScriptText}</p>
        <ul className="flex flex-wrap gap-x-6">
          {(['info', 'terms', 'privacyPolicy'] as const).map((page) => (
            <li key={page}>
              <Link to={paths[page]} className="inline-block py-2.5 underline underline-offset-4">
                {layout.pages[page]}
              </Link>
            </li>
          ))}
        </ul>
      </main>
    </noscript>
  )
}
