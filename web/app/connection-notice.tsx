import { WifiOff } from 'lucide-react'
import { useMessages } from '#web/messages/en.ts'
import { useIsConnectionLost } from '#web/session/live-events.tsx'

/** Says that what is shown may be out of date, above the page so that nothing of it moves. */
export function ConnectionNotice() {
  const { layout } = useMessages()
  const isLost = useIsConnectionLost()
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-(--bottom-bar,0) z-40 flex justify-center p-4 sm:justify-start print:hidden"
    >
      {isLost && (
        <p className="flex animate-appear items-center gap-2 rounded-pill border border-hairline bg-raised px-4 py-1.5 text-14">
          <WifiOff size={16} aria-hidden="true" className="shrink-0 text-warning" />
          {layout.connectionLost}
        </p>
      )}
    </div>
  )
}
