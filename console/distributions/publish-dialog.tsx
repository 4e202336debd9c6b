import { useState } from 'react'
import { type DistributionRecord, distributionsContract } from '#contract/operator/distributions.ts'
import { toolTraits } from '#domain/delivery/tools.ts'
import { ActDialog, useFields } from '#console/kit/act-dialog.tsx'
import { AddressField } from '#console/kit/address-field.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { toolTexts } from './tool-texts.ts'

const empty = { contract: '', campaign: '', from_block: '', claim_url: '', expires_date: '' }

interface PublishDialogProps {
  distribution: DistributionRecord
  onClose: () => void
}

export function PublishDialog({ distribution: { id, tool }, onClose }: PublishDialogProps) {
  const { valueOf, field, refuse } = useFields(empty)
  const [isHandedOut, setIsHandedOut] = useState(false)

  function input() {
    const [url, day] = [valueOf('claim_url'), valueOf('expires_date')]
    const campaign = valueOf('campaign')
    return {
      params: { id },
      body: {
        contract: valueOf('contract'),
        from_block: valueOf('from_block'),
        ...(campaign !== '' && { campaign }),
        ...(url !== '' && { claim_url: url }),
        ...(day !== '' && { expires_date: day }),
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
        Buyers see it from then on. If a node of the chain is set up, the token’s decimals and the
        contract’s root are checked first.
      </p>
      <Fields
        contract={toolTexts[tool].contract}
        hasCampaigns={toolTraits[tool].hasCampaigns}
        isClaimed={toolTraits[tool].delivers === 'claim'}
        field={field}
      />
      <Checkbox
        label="It was handed out already: publish it even if it is out of date"
        keepsErrorLine={false}
        checked={isHandedOut}
        onChange={({ currentTarget }) => setIsHandedOut(currentTarget.checked)}
      />
    </ActDialog>
  )
}

interface FieldsProps {
  /** What the address is of. */
  contract: string
  hasCampaigns: boolean
  isClaimed: boolean
  field: ReturnType<typeof useFields<keyof typeof empty>>['field']
}

function Fields({ contract, hasCampaigns, isClaimed, field }: FieldsProps) {
  const propsOf = (name: keyof typeof empty) => ({
    ...field(name),
    keepsErrorLine: false,
    autoComplete: 'off',
  })
  return (
    <>
      <AddressField label={contract} required {...propsOf('contract')} />
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
            label="Page where buyers claim, if not here"
            type="url"
            placeholder="https://"
            maxLength={2000}
            {...propsOf('claim_url')}
          />
          <TextField
            label="Can be claimed until, if it ends (UTC)"
            type="date"
            {...propsOf('expires_date')}
          />
        </>
      )}
    </>
  )
}
