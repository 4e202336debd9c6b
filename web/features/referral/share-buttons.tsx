import { Share2 } from 'lucide-react'
import { useMessages } from '#web/messages/en.ts'
import { Button } from '#web/ui/actions/button.tsx'
import { buttonStyle } from '#web/ui/actions/button-style.ts'

interface ShareButtonsProps {
  link: string
  text: string
}

/** Passes the link on, by the sites that are asked for and by the device's own means. */
export function ShareButtons({ link, text }: ShareButtonsProps) {
  const { referrals } = useMessages()
  const networks = [
    {
      name: 'Facebook',
      action: referrals.facebook,
      url: shareUrl('https://www.facebook.com/sharer/sharer.php', { u: link, quote: text }),
    },
    {
      name: 'Twitter',
      action: referrals.twitter,
      url: shareUrl('https://twitter.com/intent/tweet', { url: link, text }),
    },
    {
      name: 'Telegram',
      action: referrals.telegram,
      url: shareUrl('https://t.me/share/url', { url: link, text }),
    },
  ]
  return (
    <div className="flex flex-wrap gap-2 [&>*]:flex-1 max-sm:[&>*]:px-2 sm:[&>*]:flex-none">
      {networks.map((network) => (
        <a
          key={network.name}
          href={network.url}
          target="_blank"
          rel="noreferrer"
          title={referrals.on(network.action, network.name)}
          className={buttonStyle('secondary', 'medium', false)}
        >
          <NetworkMark name={network.name} />
          {network.action}
        </a>
      ))}
      {typeof navigator.share === 'function' && (
        <Button
          variant="secondary"
          aria-label={referrals.native}
          onClick={() => void navigator.share({ url: link, text }).catch(() => undefined)}
        >
          <Share2 size={20} aria-hidden="true" />
        </Button>
      )}
    </div>
  )
}

function shareUrl(address: string, query: Record<string, string>): string {
  return `${address}?${new URLSearchParams(query)}`
}

/** Plain shapes of our own that bring the network to mind; the title names it. */
function NetworkMark({ name }: { name: string }) {
  const shapes: Record<string, string> = {
    Facebook:
      'M14 21v-7h3l.5-3.5H14V8.3c0-1 .4-1.8 1.9-1.8h1.7V3.2A17 17 0 0 0 15 3c-2.7 0-4.5 1.6-4.5 4.6v2.9H7.5V14h3v7z',
    Twitter: 'M4 4h4.6l4 5.6L17.4 4H20l-6.2 7.2L20.6 20H16l-4.3-6L6.6 20H4l6.5-7.6z',
    Telegram: 'M3 11.6 20.5 4.5 17.8 19.6 11.9 15.3 9.2 18.2 8.7 13.4 16.4 7.4 6.9 12.9z',
  }
  return (
    <svg width={16} height={16} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}
