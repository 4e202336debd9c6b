import { useState } from 'react'
import { type DistributionRecord, distributionsContract } from '#contract/operator/distributions.ts'
import type { DistributionTool } from '#domain/delivery/distribution.ts'
import { toolsWithPages, toolTraits } from '#domain/delivery/tools.ts'
import { Asked } from '#console/approvals/waiting.tsx'
import { ActDialog, useFields } from '#console/kit/act-dialog.tsx'
import { AddressField } from '#console/kit/address-field.tsx'
import { useMay } from '#console/session/self.ts'
import { Button } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { lastingText } from './lasting-text.ts'
import { toolTexts } from './tool-texts.ts'

export function DistributionActs({ distribution }: { distribution: DistributionRecord }) {
  const mayManage = useMay('delivery.manage')
  const [open, setOpen] = useState<'publish' | 'withdraw' | 'close'>()
  const { state, asked_acts: asked } = distribution
  if (state !== 'made' && state !== 'published') return null
  const waiting = <Asked asked={asked} permission="delivery.manage" />
  if (!mayManage) return waiting
  const isAsked = (name: string) => asked.some(({ act: each }) => each === name)
  const close = () => setOpen(undefined)
  return (
    <>
      {waiting}
      <div className="flex flex-wrap gap-3">
        {state === 'made' && !isAsked('publishDistribution') && (
          <Button aria-haspopup="dialog" onClick={() => setOpen('publish')}>
            Publish
          </Button>
        )}
        {!isAsked('withdrawDistribution') && (
          <Button variant="danger" aria-haspopup="dialog" onClick={() => setOpen('withdraw')}>
            Withdraw
          </Button>
        )}
        {state === 'published' && !isAsked('closeDistribution') && (
          <Button variant="danger" aria-haspopup="dialog" onClick={() => setOpen('close')}>
            Close
          </Button>
        )}
      </div>
      {open === 'publish' && <PublishDialog distribution={distribution} onClose={close} />}
      {open === 'close' && <CloseDialog distribution={distribution} onClose={close} />}
      {open === 'withdraw' && <WithdrawDialog distribution={distribution} onClose={close} />}
    </>
  )
}

interface DialogProps {
  distribution: DistributionRecord
  onClose: () => void
}

function WithdrawDialog({ distribution: { id, state }, onClose }: DialogProps) {
  return (
    <ActDialog
      title={`Withdraw distribution ${id}?`}
      confirm="Withdraw it"
      dismiss="Keep it"
      isDangerous
      asksReason
      done="It is withdrawn. Its tokens are due again."
      endpoint={distributionsContract.withdrawDistribution}
      input={(reason) => ({ params: { id }, body: { reason } })}
      onClose={onClose}
    >
      <Banner tone="warning">
        {state === 'made'
          ? 'Anyone who has its files can still hand out tokens with them. Make sure that no ' +
            'campaign was made from them, and delete them. Otherwise tokens are handed out twice.'
          : 'First take all tokens back out of its contract, or reject what waits in your ' +
            'multisig. Whatever can still be claimed or sent is handed out twice.'}
      </Banner>
    </ActDialog>
  )
}

/** Ends a distribution that would otherwise stay open for ever. */
function CloseDialog({ distribution: { id, tool }, onClose }: DialogProps) {
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

const empty = { contract: '', campaign: '', from_block: '', claim_url: '', expires_date: '' }

function PublishDialog({ distribution: { id, tool }, onClose }: DialogProps) {
  const { valueOf, field, refuse } = useFields(empty)
  const [isHandedOut, setIsHandedOut] = useState(false)

  const shown = {
    url: valueOf('claim_url'),
    end: valueOf('expires_date'),
    fromBlock: valueOf('from_block'),
  }

  function input() {
    const [url, end] = [valueOf('claim_url'), valueOf('expires_date')]
    const campaign = valueOf('campaign')
    return {
      params: { id },
      body: {
        contract: valueOf('contract'),
        from_block: valueOf('from_block'),
        ...(campaign !== '' && { campaign }),
        ...(url !== '' && { claim_url: url }),
        ...(end !== '' && { expires_date: `${end}Z` }),
        is_handed_out: isHandedOut,
      },
    }
  }

  return (
    <ActDialog
      title={`Publish distribution ${id}`}
      confirm="Publish"
      done="It is published. The chain is read from its first block on."
      endpoint={distributionsContract.publishDistribution}
      input={input}
      onRefused={refuse}
      onClose={onClose}
    >
      <p className="text-14 text-quiet">
        Buyers see it from then on. If a node of the chain is set up, the token’s decimals are
        checked first, and the root, the token and the amount of a contract.
      </p>
      <Fields tool={tool} field={field} />
      <Banner tone="warning">{lastingText(tool, shown)}</Banner>
      <Checkbox
        label="It was handed out already: publish it even if it is out of date or partly claimed"
        keepsErrorLine={false}
        checked={isHandedOut}
        onChange={({ currentTarget }) => setIsHandedOut(currentTarget.checked)}
      />
    </ActDialog>
  )
}

type PublishFields = ReturnType<typeof useFields<keyof typeof empty>>

interface FieldsProps {
  tool: DistributionTool
  field: PublishFields['field']
}

function Fields({ tool, field }: FieldsProps) {
  const { hasCampaigns, delivers } = toolTraits[tool]
  const isClaimed = delivers === 'claim'
  const hasPage = toolsWithPages.includes(tool)
  const propsOf = (name: keyof typeof empty) => ({
    ...field(name),
    keepsErrorLine: false,
    autoComplete: 'off',
  })
  return (
    <>
      <AddressField label={toolTexts[tool].contract} required {...propsOf('contract')} />
      {hasCampaigns && (
        <TextField
          label="Id of the campaign"
          required
          spellCheck={false}
          maxLength={36}
          {...propsOf('campaign')}
        />
      )}
      <TextField
        label={isClaimed ? 'Block in which it was made' : 'A block before the first transfer'}
        required
        inputMode="numeric"
        maxLength={15}
        {...propsOf('from_block')}
      />
      {isClaimed && (
        <>
          <TextField
            label={
              hasPage ? 'Page where buyers claim' : 'Page where buyers claim, if not the sale’s own'
            }
            required={hasPage}
            type="url"
            placeholder="https://"
            maxLength={2000}
            {...propsOf('claim_url')}
          />
          <TextField
            label="Can be claimed until, if it ends (UTC)"
            type="datetime-local"
            step={1}
            {...propsOf('expires_date')}
          />
        </>
      )}
    </>
  )
}
