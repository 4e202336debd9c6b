import { type ReactNode, Suspense, useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { ProfileForm } from '#web/features/account/profile/profile-form.tsx'
import { RecordsCard } from '#web/features/account/profile/records-card.tsx'
import {
  PasswordCard,
  RequiredPasswordCard,
} from '#web/features/account/security/password-card.tsx'
import { SessionsCard } from '#web/features/account/security/sessions-card.tsx'
import { TwoFactorCard } from '#web/features/account/security/two-factor-card.tsx'
import { ResendVerification } from '#web/features/account/verification/resend-verification.tsx'
import { useProject } from '#web/features/project/queries.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { TWO_FACTOR_SECTION, WALLET_SECTION } from '#web/lib/paths.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { useSessionState } from '#web/session/session-context.tsx'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { useAccountPageTexts } from '#web/messages/use-account-page-texts.ts'

const WalletCard = lazyComponent(() => import('#web/features/wallet/wallet-card.tsx'), 'WalletCard')

export function AccountScreen() {
  const { account } = useAccountPageTexts()
  const security = useSecurityTexts()
  const project = useProject()
  const state = useSessionState()
  if (state.status === 'logged-out') return null
  const { user, obstacle } = state
  // Until then the server does not answer the rest.
  if (obstacle === 'PasswordChangeRequired') {
    return (
      <div className="flex max-w-2xl flex-col gap-6">
        <PageHeading>{account.heading}</PageHeading>
        <RequiredPasswordCard user={user} />
      </div>
    )
  }
  const isVerified = user.is_email_verified
  return (
    <div className="flex flex-col gap-6">
      <PageHeading aside={!isVerified && <ResendVerification user={user} />}>
        {account.heading}
      </PageHeading>
      <Sections
        sections={[
          {
            id: 'profile',
            title: account.cardTitle,
            card: (
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
            ),
          },
          ...(project?.delivery == null
            ? []
            : [
                {
                  id: WALLET_SECTION,
                  title: account.wallet,
                  card: (
                    <Suspense fallback={<Skeleton className="h-44" />}>
                      <WalletCard symbol={project.symbol} delivery={project.delivery} />
                    </Suspense>
                  ),
                },
              ]),
          { id: 'password', title: security.passwordTitle, card: <PasswordCard user={user} /> },
          {
            id: TWO_FACTOR_SECTION,
            title: security.twoFactorTitle,
            card: <TwoFactorCard user={user} />,
          },
          { id: 'sessions', title: security.sessionsTitle, card: <SessionsCard user={user} /> },
          { id: 'records', title: security.yourRecords, card: <RecordsCard user={user} /> },
        ]}
      />
    </div>
  )
}

interface Section {
  /** The fragment in links to it. */
  id: string
  title: string
  card: ReactNode
}

/** A card each; on wide screens a list beside them leads to each one. */
function Sections({ sections }: { sections: readonly Section[] }) {
  const { account } = useAccountPageTexts()
  useScrollToSection(sections)
  return (
    <div className="xl:grid xl:grid-cols-[minmax(0,42rem)_minmax(0,1fr)] xl:gap-10">
      <div className="flex max-w-2xl flex-col gap-6">
        {sections.map(({ id, card }) => (
          <div key={id} id={id} tabIndex={-1} className="scroll-mt-20 outline-none">
            {card}
          </div>
        ))}
      </div>
      <nav
        aria-label={account.sections}
        className="sticky top-24 hidden self-start border-l border-hairline xl:block"
      >
        <ul>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <Link
                to={{ hash: id }}
                replace
                className="flex min-h-11 items-center px-4 text-14 text-quiet transition-colors hover:text-ink"
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

/** Brings the section that the address names into sight, also on coming from another page. */
function useScrollToSection(sections: readonly Section[]) {
  const { hash, key } = useLocation()
  // A section may appear only once the page knows the sale.
  const isThere = sections.some(({ id }) => hash === `#${id}`)
  useEffect(() => {
    if (!isThere) return
    const section = document.getElementById(hash.slice(1))
    section?.scrollIntoView()
    section?.focus({ preventScroll: true })
  }, [hash, key, isThere])
}
