import { useState } from 'react'
import { LogOut } from 'lucide-react'
import { useNavigate } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Spinner } from '#web/ui/actions.tsx'

/** Ends the session and goes to the login. */
export function LogoutButton() {
  const { layout } = useMessages()
  const { logOut } = useSession()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  async function leave() {
    if (isBusy) return
    setBusy(true)
    await logOut()
    await navigate(paths.login, { replace: true })
  }
  return (
    <button
      type="button"
      aria-busy={isBusy || undefined}
      onClick={() => void leave()}
      className="flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-left font-medium text-quiet transition-colors hover:bg-surface hover:text-ink"
    >
      {isBusy ? <Spinner size={20} /> : <LogOut size="1.25em" />}
      {layout.logout}
    </button>
  )
}
