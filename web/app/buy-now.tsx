import { useProject } from '#web/features/project/queries.ts'
import { useMessages } from '#web/messages/en.ts'
import { buttonStyle } from '#web/ui/actions/button-style.ts'

/** Does nothing, as specified, until the project gives it an address to lead to. */
export function BuyNow() {
  const { layout } = useMessages()
  const url = useProject()?.links.buy_now ?? null
  const look = `${buttonStyle('secondary', 'small', false)} shrink-0 whitespace-nowrap`
  if (url === null) {
    return (
      <button type="button" className={look}>
        {layout.buyNow}
      </button>
    )
  }
  return (
    <a href={url} target="_blank" rel="noreferrer" className={look}>
      {layout.buyNow}
    </a>
  )
}
