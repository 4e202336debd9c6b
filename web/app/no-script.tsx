import { Link } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/en.ts'

interface NoScriptProps {
  title: string
  text: string
}

/** What a page that cannot do without scripts says to who has switched them off, above all else. */
export function NoScript({ title, text }: NoScriptProps) {
  const { layout } = useMessages()
  return (
    <noscript>
      <section className="border-b border-hairline">
        <div className="mx-auto flex max-w-[1280px] flex-col gap-2 px-4 py-6 sm:px-6">
          <h2 className="text-20">{title}</h2>
          <p className="max-w-[65ch] text-quiet">{text}</p>
          <ul className="flex flex-wrap gap-x-6">
            {(['info', 'terms', 'privacyPolicy'] as const).map((page) => (
              <li key={page}>
                <Link to={paths[page]} className="inline-block py-2.5 underline underline-offset-4">
                  {layout.pages[page]}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      </section>
    </noscript>
  )
}
