import { useEffect, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { API_BASE, type ResultOf } from '#contract/endpoint.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import { call } from '#web/lib/api/call.ts'
import { formatDate } from '#web/lib/format/format.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { useSandboxTexts } from '#web/messages/use-sandbox-texts.ts'
import { Button, ExternalLink } from '#web/ui/actions.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Card, List, ListRow } from '#web/ui/layout/card.tsx'
import { Disclosure } from '#web/ui/layout/disclosure.tsx'

type SandboxMail = ResultOf<typeof sandboxContract.listMails>[number]

const REFETCH_MS = 3000
const FILTER_DEBOUNCE_MS = 300

/** Plays everybody's mailbox, newest first. */
export function Mailbox({ toAtFirst }: { toAtFirst: string }) {
  const { mails: texts } = useSandboxTexts()
  const [to, setTo] = useState(toAtFirst)
  const filter = useDebounced(to.trim(), FILTER_DEBOUNCE_MS)
  const mails = useQuery({
    queryKey: ['sandbox', 'mails', filter],
    queryFn: ({ signal }) => {
      const query = filter === '' ? {} : { to: filter }
      return call(sandboxContract.listMails, { query }, { signal })
    },
    refetchInterval: REFETCH_MS,
  })
  // Not `isRefetching`: the button must not look busy by itself every few seconds.
  const [isLooking, setLooking] = useState(false)
  async function lookAgain() {
    setLooking(true)
    await mails.refetch()
    setLooking(false)
  }
  return (
    <Card
      title={texts.title}
      aside={
        <Button
          variant="quiet"
          size="small"
          isBusy={isLooking}
          onClick={() => void lookAgain()}
          className="-my-1.5 -mr-3"
        >
          {texts.refresh}
        </Button>
      }
    >
      <TextField
        label={texts.to}
        type="email"
        value={to}
        keepsErrorLine={false}
        onChange={(event) => setTo(event.currentTarget.value)}
        autoComplete="off"
      />
      {mails.isPending && <Skeleton className="h-32" />}
      {mails.isError && mails.data === undefined && (
        <ErrorState title={texts.failed} query={{ refetch: mails.refetch }} />
      )}
      {mails.data?.length === 0 && (
        <EmptyState icon={<Mail size={24} />} title={texts.empty}>
          {texts.emptyHint}
        </EmptyState>
      )}
      {mails.data !== undefined && mails.data.length > 0 && (
        <List label={texts.list}>
          {mails.data.map((mail) => (
            <MailRow key={mail.id} mail={mail} />
          ))}
        </List>
      )}
    </Card>
  )
}

function MailRow({ mail }: { mail: SandboxMail }) {
  const { mails: texts } = useSandboxTexts()
  const [wasOpened, setOpened] = useState(false)
  const [form, setForm] = useState<'mail' | 'text'>('mail')
  return (
    <ListRow>
      <Disclosure
        onOpen={() => setOpened(true)}
        title={
          <span className="flex flex-col">
            <span>{mail.subject}</span>
            <span className="text-14 font-regular text-quiet">{formatDate(mail.sent_date)}</span>
          </span>
        }
      >
        <div className="flex flex-col gap-3 pt-2">
          <p className="text-14 text-quiet">{texts.toLine(mail.to)}</p>
          <Segmented
            label={texts.form}
            options={[
              { value: 'mail', label: texts.asMail },
              { value: 'text', label: texts.asText },
            ]}
            value={form}
            onChange={setForm}
          />
          {wasOpened && form === 'mail' && <MailFrame mail={mail} />}
          {form === 'text' && <MailText text={mail.text} />}
        </div>
      </Disclosure>
    </ListRow>
  )
}

/** Used until its height is known; about that of a short mail. */
const FRAME_HEIGHT_AT_FIRST = 640

/**
 * A mail as a mail program shows it. It comes from the server with its own policy, since the page's
 * own policy forbids styles on elements. No script runs in it.
 */
function MailFrame({ mail }: { mail: SandboxMail }) {
  const { mails: texts } = useSandboxTexts()
  const [height, setHeight] = useState(FRAME_HEIGHT_AT_FIRST)
  const frame = useRef<HTMLIFrameElement>(null)
  const measure = () => {
    const content = frame.current?.contentDocument?.body.firstElementChild
    if (content != null) setHeight(Math.ceil(content.getBoundingClientRect().height))
  }
  useEffect(() => {
    // A narrower window makes the mail longer.
    window.addEventListener('resize', measure)
    return () => window.removeEventListener('resize', measure)
  }, [])
  return (
    <iframe
      ref={frame}
      title={texts.frameTitle(mail.subject)}
      src={`${API_BASE}/sandbox/mails/${mail.id}/html`}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      height={height}
      onLoad={measure}
      className="w-full rounded-card"
    />
  )
}

const LINK = /(https?:\/\/[^\s<>"]+)/

/** A mail as text, with its links to press. */
function MailText({ text }: { text: string }) {
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
