import type { ReactNode } from 'react'
import { ProfileForm } from '#web/features/account/profile/profile-form.tsx'
import { RecordsCard } from '#web/features/account/profile/records-card.tsx'
import {
  PasswordCard,
  RequiredPasswordCard,
} from '#web/features/account/security/password-card.tsx'
import { SessionsCard } from '#web/features/account/security/sessions-card.tsx'
import { TwoFactorCard } from '#web/features/account/security/two-factor-card.tsx'
import { ResendVerification } from '#web/features/account/verification/resend-verification.tsx'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSessionState } from '#web/session/session-context.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'

export function AccountScreen() {
  const { account } = useMessages()
  const state = useSessionState()
  if (state.status === 'logged-out') return null
  const { user, obstacle } = state
  // Until then the server answers none of the rest.
  if (obstacle === 'PasswordChangeRequired') {
    return (
      <Cards>
        <PageHeading>{account.heading}</PageHeading>
        <RequiredPasswordCard user={user} />
      </Cards>
    )
  }
  const isVerified = user.is_email_verified
  return (
    <Cards>
      <PageHeading aside={!isVerified && <ResendVerification user={user} />}>
        {account.heading}
      </PageHeading>
      <Card
        title={account.cardTitle}
        aside={
          <Chip tone={isVerified ? 'success' : 'warning'}>
            {isVerified ? account.verified : account.unverified}
          </Chip>
        }
      >
        <ProfileForm key={user.id} user={user} />
      </Card>
      <PasswordCard user={user} />
      <TwoFactorCard user={user} />
      <SessionsCard user={user} />
      <RecordsCard user={user} />
    </Cards>
  )
}

function Cards({ children }: { children: ReactNode }) {
  return <div className="flex max-w-2xl flex-col gap-6">{children}</div>
}
