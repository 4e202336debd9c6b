import { paths, WALLET_SECTION } from '#web/lib/paths.ts'
import { useReceivingWalletTexts } from '#web/messages/use-receiving-wallet-texts.ts'
import { LinkButton } from '#web/ui/actions.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { useOwnWallet } from './wallet-queries.ts'

/** Asks users who own tokens and have set no wallet to do so; nothing for anybody else. */
export function WalletInvite({ symbol }: { symbol: string }) {
  const { invite: texts } = useReceivingWalletTexts()
  const { data: own } = useOwnWallet()
  if (own?.next_step !== 'set') return null
  return (
    <Card title={texts.title}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <p className="min-w-0 flex-1 basis-48 text-quiet">{texts.text(symbol)}</p>
        <LinkButton to={`${paths.account}#${WALLET_SECTION}`} variant="secondary">
          {texts.action}
        </LinkButton>
      </div>
    </Card>
  )
}
