import { ExternalLink } from '#web/ui/actions/text-link.tsx'

const LINK = /(https?:\/\/[^\s<>"]+)/

/**
 * A mail as text, with its links to press. The designed form is not shown: it brings own styles.
 */
export function MailText({ text }: { text: string }) {
  const parts = text.split(LINK)
  return (
    <p className="break-words whitespace-pre-wrap">
      {parts.map((part, index) =>
        LINK.test(part) ? (
          <ExternalLink key={index} href={part}>
            {part}
          </ExternalLink>
        ) : (
          part
        ),
      )}
    </p>
  )
}
