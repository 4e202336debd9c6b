import { useState } from 'react'
import { type RefundClaim, refundsContract } from '#contract/refunds.ts'
import { isRefusal } from '#web/lib/api/call.ts'
import { formatDate } from '#web/lib/format/format.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'
import { useRefundClaimTexts } from '#web/messages/use-refund-claim-texts.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Button, SmallButton } from '#web/ui/actions.tsx'
import { TimeLeftLine } from '#web/ui/feedback/time-left.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { useAttempt } from '#web/ui/feedback/use-attempt.ts'
import { useAskForRefundsAgain } from './refund-queries.ts'

interface CancelClaimProps {
  claim: RefundClaim
  onCancelled?: () => void
}

/** How long a claim can be cancelled, and the way to do it, which asks once more. */
export function CancelClaim({ claim, onCancelled }: CancelClaimProps) {
  const { cancel: texts } = useRefundClaimTexts()
  const [question, setQuestion] = useState<'unasked' | 'asked' | 'declined'>('unasked')
  const { isBusy, attempt } = useCancel(claim, onCancelled)
  const left = useCountdown(claim.approvable_date)
  return (
    <div className="flex w-full flex-col items-start gap-3 border-t border-hairline pt-4 text-14">
      <TimeLeftLine left={left} label={texts.timeLeft}>
        {left.totalSeconds === 0
          ? texts.afterwards
          : texts.until(formatDate(claim.approvable_date))}
      </TimeLeftLine>
      {question === 'asked' ? (
        <>
          <p role="status">{texts.ask}</p>
          <span className="flex flex-wrap gap-2">
            <Button variant="danger" size="small" isBusy={isBusy} onClick={attempt} autoFocus>
              {texts.confirm}
            </Button>
            <Button variant="quiet" size="small" onClick={() => setQuestion('declined')}>
              {texts.keep}
            </Button>
          </span>
        </>
      ) : (
        // The focus comes back from the question.
        <SmallButton onClick={() => setQuestion('asked')} autoFocus={question === 'declined'}>
          {texts.action}
        </SmallButton>
      )}
    </div>
  )
}

function useCancel({ id }: RefundClaim, onCancelled?: () => void) {
  const { cancel: texts } = useRefundClaimTexts()
  const { callAs } = useSession()
  const askAgain = useAskForRefundsAgain()
  return useAttempt(
    async () => {
      await callAs(refundsContract.cancelRefundClaim, { params: { id } }).finally(askAgain)
      toast.success(texts.done)
      onCancelled?.()
    },
    (error) => {
      if (isRefusal(error, 'ClaimClosed')) toast.error(texts.tooLate)
      else toast.failed(error, texts.failed)
    },
  )
}
