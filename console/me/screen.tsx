import { useQuery } from '@tanstack/react-query'
import { Loaded } from '#console/kit/loaded.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { HistoryCard, SessionsCard } from './activity-cards.tsx'
import { AuthenticatorCard, RecoveryCodesCard } from './factors-cards.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { PasswordCard, PersonCard } from './person-card.tsx'
import { accountQuery } from './queries.ts'

/** The person's own account: how and where they sign in, and what happened to it. */
export function MeScreen() {
  const query = useQuery(accountQuery)
  return (
    <>
      <PageHeading>Your account</PageHeading>
      <Loaded query={query} what="Your account" skeleton="h-96">
        {(account) => (
          <div className="grid items-start gap-6 xl:grid-cols-2">
            <div className="grid gap-6">
              <PasskeysCard passkeys={account.passkeys} />
              <AuthenticatorCard account={account} />
              <RecoveryCodesCard left={account.recovery_codes_left} />
            </div>
            <div className="grid gap-6">
              <PersonCard account={account} />
              <PasswordCard />
              <SessionsCard />
            </div>
            <div className="xl:col-span-2">
              <HistoryCard />
            </div>
          </div>
        )}
      </Loaded>
    </>
  )
}
