import { ProfileForm } from '#web/features/account/profile-form.tsx'
import { ResendVerification } from '#web/features/account/resend-verification.tsx'
import { useMessages } from '#web/messages/use-messages.ts'
import { useUser } from '#web/session/session-context.tsx'
import { Card } from '#web/ui/card.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'

export function AccountScreen() {
  const { account } = useMessages()
  const user = useUser()
  if (user === null) return null
  const { is_email_verified: isVerified } = user
  return (
    <div className="flex flex-col gap-6">
      <PageHeading aside={!isVerified && <ResendVerification />}>{account.heading}</PageHeading>
      <Card
        title={account.cardTitle}
        className="max-w-2xl"
        aside={
          <Chip tone={isVerified ? 'success' : 'warning'}>
            {isVerified ? account.verified : account.unverified}
          </Chip>
        }
      >
        <ProfileForm key={user.id} user={user} />
      </Card>
    </div>
  )
}
