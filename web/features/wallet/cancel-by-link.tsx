import { useRef, useState } from 'react'
import { walletsContract } from '#contract/delivery/wallets.ts'
import { call, isRefusal } from '#web/lib/api/call.ts'
import { paths, WALLET_SECTION } from '#web/lib/paths.ts'
import { useKeptFocus } from '#web/lib/use-kept-focus.ts'
import { useReceivingWalletTexts } from '#web/messages/use-receiving-wallet-texts.ts'
import { useUser } from '#web/session/session-context.tsx'
import { Button, LinkButton } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'

/**
 * Cancels a wallet change through the mailed link, without a login. It asks for a press, since
 * programs that check mails open every link.
 */
export function CancelByLink({ token }: { token: string | undefined }) {
  const { cancelPage: texts } = useReceivingWalletTexts()
  const isLoggedIn = useUser() !== null
  const [state, setState] = useState<'asked' | 'busy' | 'done' | 'invalid'>(
    token === undefined ? 'invalid' : 'asked',
  )
  const panel = useRef<HTMLDivElement>(null)
  useKeptFocus(panel, state)
  async function cancel() {
    if (token === undefined) return
    setState('busy')
    try {
      await call(walletsContract.cancelWalletChangeByLink, { body: { token } })
      setState('done')
    } catch (error) {
      const isInvalid = isRefusal(error, 'LinkInvalid')
      if (!isInvalid) toast.failed(error, texts.failed)
      setState(isInvalid ? 'invalid' : 'asked')
    }
  }
  return (
    <div ref={panel} tabIndex={-1} aria-live="polite" className="flex flex-col gap-4">
      {state === 'done' ? (
        <>
          <Banner tone="success">{texts.done}</Banner>
          <p>{texts.next}</p>
          <LinkButton to={isLoggedIn ? `${paths.account}#password` : paths.forgotPassword}>
            {texts.password}
          </LinkButton>
        </>
      ) : state === 'invalid' ? (
        <>
          <Banner tone="warning">{texts.invalid}</Banner>
          <LinkButton to={`${paths.account}#${WALLET_SECTION}`}>{texts.account}</LinkButton>
        </>
      ) : (
        <>
          <p>{texts.text}</p>
          <Button
            variant="danger"
            isBusy={state === 'busy'}
            isFullWidth
            onClick={() => void cancel()}
          >
            {texts.action}
          </Button>
        </>
      )}
    </div>
  )
}
