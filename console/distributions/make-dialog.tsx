import { useState } from 'react'
import { useNavigate } from 'react-router'
import {
  type DistributionOutlook,
  distributionsContract,
} from '#contract/operator/distributions.ts'
import type { DistributionTool } from '#domain/delivery/distribution.ts'
import { toolTraits } from '#domain/delivery/tools.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { formatCoins, formatDate } from '#web/lib/format/format.ts'
import { Select } from '#web/ui/fields/select.tsx'
import { offeredTools, toolTexts } from './tool-texts.ts'

interface MakeDialogProps {
  snapshot: number
  releases: DistributionOutlook['releases']
  onClose: () => void
}

const ALL = 'all'

export function MakeDialog({ snapshot, releases, onClose }: MakeDialogProps) {
  const navigate = useNavigate()
  const [tool, setTool] = useState<DistributionTool>(
    releases.length > 1 ? 'sablier_tranched' : 'sablier_instant',
  )
  const [through, setThrough] = useState(releases.length > 1 ? '0' : ALL)
  const { what, limits } = toolTexts[tool]
  const { releases: releasesItself } = toolTraits[tool]

  const isWhole = releasesItself || through === ALL
  const options = optionsOf(releases)
  return (
    <ActDialog
      title={`Make a distribution of snapshot ${snapshot}`}
      confirm="Make the files"
      done="The distribution is made. Its files can be downloaded."
      endpoint={distributionsContract.makeDistribution}
      input={() => ({ body: { snapshot, tool, ...(!isWhole && { through: Number(through) }) } })}
      onActed={({ result }) => {
        if (result !== null) void navigate(`/distributions/${result.id}`)
      }}
      onClose={onClose}
    >
      <ToolSelect tool={tool} onChange={setTool} />
      <div className="flex flex-col gap-2 text-14">
        <p>{what}</p>
        <p className="text-quiet">{limits}</p>
      </div>
      {releasesItself ? (
        <p className="text-14 text-quiet">
          It gets the whole schedule and hands out everything by it: one campaign for all releases.
        </p>
      ) : (
        <Select
          label="How much"
          value={through}
          shown={options.find(({ id }) => id === through)?.label ?? 'Everything'}
          groups={() => [{ title: 'How much', options }]}
          onChange={setThrough}
        />
      )}
      <p className="text-14 text-quiet">
        Every owner with a wallet gets what is due, less what earlier distributions have given. This
        sends nothing, and it can be withdrawn.
      </p>
    </ActDialog>
  )
}

function optionsOf(releases: DistributionOutlook['releases']) {
  const parts = releases.slice(0, -1).map(({ months, date, released }) => ({
    id: String(months),
    label: months === 0 ? 'What is released at the start' : `Releases up to month ${months}`,
    detail: `${date === null ? '' : `${formatDate(date)}, `}${formatCoins(released)}`,
  }))
  const whole = formatCoins(releases.at(-1)?.released ?? '0')
  return [...parts, { id: ALL, label: 'Everything', detail: whole }]
}

interface ToolSelectProps {
  tool: DistributionTool
  onChange: (tool: DistributionTool) => void
}

function ToolSelect({ tool, onChange }: ToolSelectProps) {
  const thatOf = (delivers: 'claim' | 'send') =>
    offeredTools
      .filter((each) => toolTraits[each].delivers === delivers)
      .map((id) => ({ id, label: toolTexts[id].name }))
  return (
    <Select
      label="With which tool"
      value={tool}
      shown={toolTexts[tool].name}
      groups={() => [
        { title: 'Buyers claim', options: thatOf('claim') },
        { title: 'You send', options: thatOf('send') },
      ]}
      onChange={(id) => onChange(offeredTools.find((each) => each === id) ?? tool)}
    />
  )
}
