import { useState } from 'react'
import { type DistributionRecord, distributionsContract } from '#contract/operator/distributions.ts'
import { toolTraits } from '#domain/delivery/tools.ts'
import { act } from '#console/kit/act.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { AddressField } from '#console/kit/address-field.tsx'
import { CallError } from '#web/lib/api/call.ts'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { toolTexts } from './tool-texts.ts'

type Field = 'contract' | 'campaign' | 'from_block' | 'claim_url' | 'expires_date'
type Texts = Partial<Record<Field, string>>

interface PublishDialogProps {
  distribution: DistributionRecord
  onClose: () => void
}

/** Names where a distribution is handed out. */
export function PublishDialog({ distribution: { id, tool }, onClose }: PublishDialogProps) {
  const [values, setValues] = useState<Texts>({})
  const [faults, setFaults] = useState<Texts>({})
  const valueOf = (field: Field) => values[field]?.trim() ?? ''

  async function publish() {
    try {
      const [url, day] = [valueOf('claim_url'), valueOf('expires_date')]
      const campaign = valueOf('campaign')
      return await act(distributionsContract.publishDistribution, {
        params: { id },
        body: {
          contract: valueOf('contract'),
          from_block: valueOf('from_block'),
          ...(campaign !== '' && { campaign }),
          ...(url !== '' && { claim_url: url }),
          ...(day !== '' && { expires_date: day }),
        },
      })
    } catch (error) {
      if (error instanceof CallError) {
        setFaults(Object.fromEntries(error.errors.map(({ path, message }) => [path, message])))
      }
      throw error
    }
  }

  function change(field: Field, value: string) {
    setValues((before) => ({ ...before, [field]: value }))
    setFaults((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => name !== field)),
    )
  }

  return (
    <ActDialog
      title={`Publish distribution ${id}`}
      confirm="Publish"
      done="It is published. The chain is read from its first block on."
      onConfirm={publish}
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
        values={values}
        faults={faults}
        onChange={change}
      />
    </ActDialog>
  )
}

interface FieldsProps {
  /** What the address is of. */
  contract: string
  hasCampaigns: boolean
  isClaimed: boolean
  values: Texts
  faults: Texts
  onChange: (field: Field, value: string) => void
}

function Fields({ contract, hasCampaigns, isClaimed, values, faults, onChange }: FieldsProps) {
  const propsOf = (field: Field) => ({
    value: values[field] ?? '',
    error: faults[field],
    keepsErrorLine: false,
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange(field, currentTarget.value),
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
