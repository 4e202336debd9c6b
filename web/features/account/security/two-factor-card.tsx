import { Suspense, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { User } from '#contract/shapes.ts'
import { useTwoFactor } from '#web/session/two-factor.ts'
import { paths } from '#web/lib/paths.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { Button, TextLink } from '#web/ui/actions.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'

const Setup = lazyComponent(() => import('./two-factor-forms.tsx'), 'TwoFactorSetup')
const Renewal = lazyComponent(() => import('./two-factor-forms.tsx'), 'RecoveryRenewal')
const End = lazyComponent(() => import('./two-factor-forms.tsx'), 'TwoFactorEnd')

type Change = 'on' | 'codes' | 'off'

/** So few will soon be used up. */
const FEW_CODES = 3

export function TwoFactorCard({ user }: { user: User }) {
  const security = useSecurityTexts()
  const query = useTwoFactor()
  const { data: state, isError } = query
  const queryClient = useQueryClient()
  const [change, setChange] = useState<Change | null>(null)
  const [last, setLast] = useState<Change | null>(null)
  function stop() {
    setLast(change)
    setChange(null)
  }
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
      {isError && <ErrorState title={security.twoFactorMissing} query={query} />}
      {state?.is_on === true && change === null && <CodesLeft count={state.recovery_codes_left} />}
      {state !== undefined && change === null && (
        <Choices
          choices={state.is_on ? ['codes', 'off'] : ['on']}
          last={last}
          onChoose={setChange}
        />
      )}
      <Suspense fallback={<Skeleton className="h-44" />}>
        {change === 'on' && <Setup onChanged={readAgain} onClose={stop} />}
        {change === 'codes' && <Renewal onChanged={readAgain} onClose={stop} />}
        {change === 'off' && <End onChanged={readAgain} onClose={stop} />}
      </Suspense>
    </Card>
  )
}

interface ChoicesProps {
  choices: Change[]
  /** The change that was begun last, or null: the focus comes back to it, or to its replacement. */
  last: Change | null
  onChoose: (choice: Change) => void
}

function Choices({ choices, last, onChoose }: ChoicesProps) {
  const security = useSecurityTexts()
  const labels = { on: security.setUp, codes: security.renewCodes, off: security.turnOff }
  const focused = last === null || choices.includes(last) ? last : choices[0]
  return (
    <div className="flex flex-wrap gap-2">
      {choices.map((choice) => (
        <Button
          key={choice}
          variant="secondary"
          onClick={() => onChoose(choice)}
          autoFocus={choice === focused}
          className="w-full sm:w-auto"
        >
          {labels[choice]}
        </Button>
      ))}
    </div>
  )
}

function CodesLeft({ count }: { count: number }) {
  const security = useSecurityTexts()
  const { layout } = useMessages()
  return (
    <p className={count < FEW_CODES ? 'text-warning' : ''}>
      {security.recoveryLeft(count)} {count > 0 && count < FEW_CODES && security.recoveryFew}
      {count === 0 && (
        <>
          {security.recoveryNone} {security.lostBoth}
          <TextLink to={paths.privacyPolicy}>{layout.privacyPolicy}</TextLink>.
        </>
      )}
    </p>
  )
}
