import { useState } from 'react'
import { type DistributionRecord, distributionsContract } from '#contract/operator/distributions.ts'
import { toolTraits } from '#domain/delivery/tools.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'

interface CloseDialogProps {
  distribution: DistributionRecord
  onClose: () => void
}

/** Ends a distribution that would otherwise stay open for ever. */
export function CloseDialog({ distribution: { id, tool }, onClose }: CloseDialogProps) {
  const isSent = toolTraits[tool].delivers === 'send'
  const [sendsNothingMore, setSendsNothingMore] = useState(false)
  return (
    <ActDialog
      title={`Close distribution ${id}?`}
      confirm="Close it"
      dismiss="Keep it open"
      isDangerous
      asksReason
      done="It is closed. What has not arrived is due again."
      endpoint={distributionsContract.closeDistribution}
      input={(reason) => ({
        params: { id },
        body: { reason, sends_nothing_more: sendsNothingMore },
      })}
      onClose={onClose}
    >
      <Banner tone="warning">
        {isSent
          ? 'Tokens that have arrived stay, and the rest are due again. First reject whatever ' +
            'still waits in your multisig: anything sent later is paid twice.'
          : 'Tokens that were claimed stay, and the rest are due again. The contract must have no ' +
            'tokens left.'}
      </Banner>
      {isSent && (
        <Checkbox
          label="Nothing more from this list will be sent"
          keepsErrorLine={false}
          checked={sendsNothingMore}
          onChange={({ currentTarget }) => setSendsNothingMore(currentTarget.checked)}
        />
      )}
    </ActDialog>
  )
}
