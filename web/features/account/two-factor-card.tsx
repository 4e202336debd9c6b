import { Suspense, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { User } from '#contract/shapes.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useTwoFactor } from './account-queries.ts'

const Setup = lazyComponent(async () => (await import('./two-factor-setup.tsx')).TwoFactorSetup)
const End = lazyComponent(async () => (await import('./two-factor-end.tsx')).TwoFactorEnd)

/** So few are soon used up. */
const FEW_CODES = 3

/** Two-factor login: whether it is on, and the way to turn it on and off. */
export function TwoFactorCard({ user }: { user: User }) {
  const security = useSecurityTexts()
  const { data: state, isError, refetch, isFetching } = useTwoFactor(user.id)
  const queryClient = useQueryClient()
  const [isChanging, setChanging] = useState<'on' | 'off' | null>(null)
  const stop = () => setChanging(null)
  const readAgain = () => queryClient.invalidateQueries({ queryKey: ['user', user.id] })

  return (
    <Card
      title={security.twoFactorTitle}

      aside={
        state !== undefined && (
          <Chip tone={state.is_on ? 'success' : 'neutral'}>
            {state.is_on ? security.twoFactorOn : security.twoFactorOff}
          </Chip>
        )
      }
    >
      <p className="text-quiet">{security.twoFactorWhat}</p>
      {state === undefined && !isError && <Skeleton className="h-11 w-32" />}
      {isError && (
        <ErrorState
          title={security.twoFactorMissing}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      )}
      {state?.is_on === true && <CodesLeft count={state.recovery_codes_left} />}
      {state !== undefined && isChanging === null && (
        <Button
          variant="secondary"
          onClick={() => setChanging(state.is_on ? 'off' : 'on')}
          className="w-full sm:w-auto sm:self-start"
        >
          {state.is_on ? security.turnOff : security.setUp}
        </Button>
      )}
      <Suspense fallback={<Skeleton className="h-44" />}>
        {isChanging === 'on' && <Setup onTurnedOn={readAgain} onClose={stop} />}
        {isChanging === 'off' && <End onTurnedOff={readAgain} onClose={stop} />}
      </Suspense>
    </Card>
  )
}

function CodesLeft({ count }: { count: number }) {
  const security = useSecurityTexts()
  return (
    <p className={count < FEW_CODES ? 'text-warning' : ''}>
      {security.recoveryLeft(count)} {count < FEW_CODES && security.recoveryFew}
    </p>
  )
}
