import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import {
  type Distribution,
  type DistributionOutlook,
  distributionsContract,
} from '#contract/operator/distributions.ts'
import type { DistributionTool } from '#domain/delivery/distribution.ts'
import { toolTraits } from '#domain/delivery/tools.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { BackLink } from '#console/kit/back-link.tsx'
import { Loaded } from '#console/kit/loaded.tsx'
import { PagedTable, usePages, type Column } from '#console/kit/table.tsx'
import { Time } from '#console/kit/values.tsx'
import { useSaleTerms } from '#console/purchases/queries.ts'
import { useMay } from '#console/session/self.ts'
import { callQuery } from '#web/lib/api/call-query.ts'
import { formatCoins, formatDate } from '#web/lib/format/format.ts'
import { Button } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Card, Figure } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { toolTexts, offeredTools } from './tool-texts.ts'
import { DistributionChip, throughText, wholeTokens } from './values.tsx'

const PAGE = '50'
const LOOK_EVERY_MS = 15_000

export function DistributionsScreen() {
  const pages = usePages(
    ['operator', 'distributions'],
    distributionsContract.listDistributions,
    { query: { limit: PAGE } },
    { lookEveryMs: LOOK_EVERY_MS },
  )
  return (
    <>
      <BackLink to="/delivery">Delivery</BackLink>
      <PageHeading>Distributions</PageHeading>
      <p className="max-w-prose text-quiet">
        A distribution is a list of wallets and amounts for one tool that hands tokens out. The
        server holds no tokens and sends none: it writes the files, shows the root that the tool
        must show too, and watches the chain.
      </p>
      <Outlook />
      <Card title="Distributions">
        <PagedTable
          pages={pages}
          what="The distributions"
          empty={
            <EmptyState title="No distributions yet">
              Distributions are listed here, with their files and what the chain shows of them.
            </EmptyState>
          }
          label="Distributions"
          columns={columns}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/distributions/${id}`}
        />
      </Card>
    </>
  )
}

function Outlook() {
  const mayManage = useMay('delivery.manage')
  const [isMaking, setMaking] = useState(false)
  const query = useQuery(
    callQuery(
      ['operator', 'distributions', 'outlook'],
      distributionsContract.lookAheadAtDistributions,
      {},
    ),
  )
  return (
    <Loaded query={query} what="What can be handed out" skeleton="h-48">
      {(outlook) => {
        const fault = faultOf(outlook)
        return (
          <Card
            title={
              outlook.snapshot === null
                ? 'To be handed out'
                : `To be handed out: snapshot ${outlook.snapshot.number}`
            }
            aside={
              mayManage &&
              fault === null && (
                <Button size="small" aria-haspopup="dialog" onClick={() => setMaking(true)}>
                  Make a distribution
                </Button>
              )
            }
          >
            {fault !== null && <Banner tone="warning">{fault}</Banner>}
            {outlook.snapshot !== null && <Sums snapshot={outlook.snapshot} />}
            {isMaking && outlook.snapshot !== null && (
              <MakeDialog
                snapshot={outlook.snapshot.number}
                releases={outlook.releases}
                onClose={() => setMaking(false)}
              />
            )}
          </Card>
        )
      }}
    </Loaded>
  )
}

function faultOf({ chain_id: chainId, token, snapshot }: DistributionOutlook): string | null {
  if (chainId === null) return 'The sale file does not say how tokens are delivered.'
  if (snapshot === null) {
    return (
      'The books are not closed yet. Tokens are handed out from a snapshot: close the books under ' +
      'Delivery.'
    )
  }
  if (token === null) {
    return 'The sale file names no contract of the token. Put it under project.contract once it is deployed.'
  }
  return null
}

const ownersText = (count: number) => (count === 1 ? 'one owner' : `${formatCoins(count)} owners`)

function Sums({ snapshot }: { snapshot: NonNullable<DistributionOutlook['snapshot']> }) {
  const { tokenSymbol } = useSaleTerms()
  const { tokens, owners, unassigned, handed_out: handedOut } = snapshot
  const figures = [
    { label: `Of ${ownersText(owners)}`, value: tokens },
    { label: 'Handed out, or in a list that stands', value: handedOut },
    { label: `Of ${ownersText(unassigned.owners)} without a wallet`, value: unassigned.tokens },
  ]
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
      {figures.map(({ label, value }) => (
        <Figure
          key={label}
          size="medium"
          value={wholeTokens(value)}
          exact={value}
          unit={tokenSymbol}
          label={label}
        />
      ))}
    </div>
  )
}

const columns: readonly Column<Distribution>[] = [
  {
    header: 'Distribution',
    isTitle: true,
    cell: ({ id }) => <span className="whitespace-nowrap">{`Distribution ${id}`}</span>,
  },
  { header: 'Tool', cell: ({ tool }) => toolTexts[tool].name },
  { header: 'What', from: 'lg', cell: ({ through }) => throughText(through) },
  { header: 'Made', from: 'md', cell: ({ made_date: made }) => <Time value={made} as="age" /> },
  { header: 'Wallets', isNumber: true, cell: ({ rows }) => formatCoins(rows) },
  {
    header: 'Tokens',
    isNumber: true,
    cell: ({ amount }) => <span title={amount}>{wholeTokens(amount)}</span>,
  },
  { header: 'State', cell: ({ state }) => <DistributionChip state={state} /> },
]

interface MakeDialogProps {
  snapshot: number
  releases: DistributionOutlook['releases']
  onClose: () => void
}

const ALL = 'all'

function MakeDialog({ snapshot, releases, onClose }: MakeDialogProps) {
  const navigate = useNavigate()
  const [tool, setTool] = useState<DistributionTool>(
    releases.length > 1 ? 'sablier_tranched' : 'sablier_instant',
  )
  const options = optionsOf(releases)
  const [through, setThrough] = useState(options[0]?.id ?? ALL)
  const { what, limits } = toolTexts[tool]
  const { releases: releasesItself } = toolTraits[tool]

  const isWhole = releasesItself || through === ALL
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
