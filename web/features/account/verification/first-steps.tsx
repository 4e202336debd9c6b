import { type ReactNode, useState } from 'react'
import { CircleCheck, X } from 'lucide-react'
import type { User } from '#contract/shapes.ts'
import { useTwoFactor } from '#web/session/two-factor.ts'
import { paths, TWO_FACTOR_SECTION } from '#web/lib/paths.ts'
import { persisted } from '#web/lib/persisted.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { useSessionState } from '#web/session/session-context.tsx'
import { IconButton, TextLink } from '#web/ui/actions.tsx'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { ResendVerification } from './resend-verification.tsx'

interface FirstStepsProps {
  user: User
  /** The project's. */
  symbol: string
  /**
   * Whether tokens can be bought, now or later; after the end of the sale that is no longer a step.
   */
  purchases: 'now' | 'later' | 'never'
  /** True on the page where tokens are bought, which needs no link to itself. */
  isBuyPage?: boolean
}

const stored = (user: User) => `firstSteps.${user.id}`

/**
 * What makes an account ready, as a strip above a page: a confirmed address, a first purchase and
 * two-factor login. It disappears once all are done or it is dismissed. A step done while the strip
 * is visible is ticked off, so that nothing below it moves.
 */
export function FirstSteps(props: FirstStepsProps) {
  const { user } = props
  const [isGone, setGone] = useState(() => persisted.read(stored(user)) !== null)
  if (isGone) return null
  function putAway() {
    persisted.write(stored(user), true)
    setGone(true)
    // The button disappears with the strip; the page's heading takes over the focus.
    document.querySelector('h1')?.focus({ preventScroll: true })
  }
  return <Strip {...props} onPutAway={putAway} />
}

function Strip(props: FirstStepsProps & { onPutAway: () => void }) {
  const { user, symbol, purchases, isBuyPage = false, onPutAway } = props
  const security = useSecurityTexts()
  const state = useSessionState()
  const obstacle = state.status === 'logged-in' ? state.obstacle : null
  const { data: twoFactor, isError } = useTwoFactor({ isEnabled: obstacle === null })
  const hasBought = user.paid_amount_fiat > 0
  const isRestDone = user.is_email_verified && (hasBought || purchases === 'never')
  const [isDoneAtFirst] = useState(isRestDone && twoFactor?.is_on === true)
  if (isDoneAtFirst) return null
  return (
    <section
      aria-label={security.firstSteps}
      data-first-steps
      className="relative rounded-card border border-hairline p-4 sm:px-6"
    >
      <IconButton
        label={security.putAway}
        icon={<X size="1em" />}
        onClick={onPutAway}
        className="absolute top-1 right-1"
      />
      <ol className="flex flex-col gap-x-8 gap-y-3 pr-8 max-[16rem]:pt-8 max-[16rem]:pr-0 lg:flex-row [&>*]:flex-1">
        <Step
          name="email"
          title={security.confirmEmail}
          text={security.confirmEmailText(user.email)}
          isDone={user.is_email_verified}
        >
          {/* If a verified address is required, the notice above has the button. */}
          {obstacle === null && <ResendVerification user={user} isSmall />}
        </Step>
        {purchases !== 'never' && (
          <Step
            name="purchase"
            title={security.firstPurchase}
            text={
              purchases === 'now' ? security.firstPurchaseText(symbol) : security.firstPurchaseLater
            }
            isDone={hasBought}
          >
            {purchases === 'now' && !isBuyPage && (
              <TextLink to={paths.buy} className={action}>
                {security.firstPurchaseAction}
              </TextLink>
            )}
          </Step>
        )}
        <Step
          name="two-factor"
          title={security.secureLogin}
          text={security.secureLoginText}
          isDone={twoFactor?.is_on ?? false}
        >
          {twoFactor === undefined && obstacle === null && !isError ? (
            <Skeleton className="h-5 w-20" />
          ) : (
            <TextLink to={`${paths.account}#${TWO_FACTOR_SECTION}`} className={action}>
              {security.secureLoginAction}
            </TextLink>
          )}
        </Step>
      </ol>
    </section>
  )
}

const action = 'relative text-14 after:absolute after:-inset-x-2 after:-inset-y-3'

interface StepProps {
  /** For `before-paint.js`, which knows what this device knows to be done. */
  name: 'email' | 'purchase' | 'two-factor'
  title: string
  text: string
  isDone: boolean
  /** What to do about it. */
  children: ReactNode
}

function Step({ name, title, text, isDone, children }: StepProps) {
  const security = useSecurityTexts()
  // An address that is too long for a line breaks before its domain.
  const [start, domain] = text.split(/(?=@[^@]*$)/)
  return (
    <li data-step={name} className="flex min-w-0 gap-3 max-[16rem]:flex-col max-[16rem]:gap-1">
      {isDone ? (
        <CircleCheck size="1.25em" className="mt-0.5 shrink-0 text-success" />
      ) : (
        <span
          aria-hidden="true"
          className="mt-0.5 size-5 shrink-0 rounded-pill border-2 border-edge"
        />
      )}
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className={classNames('font-medium', isDone && 'text-quiet')}>{title}</p>
        <p className={classNames('text-14 wrap-anywhere text-quiet', isDone && 'max-lg:hidden')}>
          {start}
          <wbr />
          {domain}
        </p>
        <div
          className={classNames(
            'mt-auto flex items-center empty:hidden',
            isDone ? 'lg:min-h-9' : 'min-h-9',
          )}
        >
          {isDone ? <span className="text-14 text-success">{security.stepDone}</span> : children}
        </div>
      </div>
    </li>
  )
}
