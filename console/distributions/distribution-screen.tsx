import { BackLink } from '#console/kit/back-link.tsx'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { type DistributionRecord, distributionsContract } from '#contract/operator/distributions.ts'
import { formatDecimal } from '#domain/money.ts'
import { CopiedAddress, DateLine } from '#console/kit/values.tsx'
import { Loaded, watchedQuery } from '#console/kit/loaded.tsx'
import { useSaleTerms } from '#console/purchases/queries.ts'
import { formatCoins } from '#web/lib/format/format.ts'
import { ExternalLink } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Card, Figure, LabelledLine } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { DistributionActs } from './distribution-acts.tsx'
import { FilesCard } from './files-card.tsx'
import { DistributionChip, throughText, wholeTokens } from './values.tsx'
import { toolTexts } from './tool-texts.ts'

/** One distribution: its root, its sums, its files, and where it is published. */
export function DistributionScreen() {
  const { id = '' } = useParams()
  const query = useQuery(
    watchedQuery(['operator', 'distributions', 'one', id], distributionsContract.getDistribution, {
      params: { id },
    }),
  )
  return (
    <>
      <BackLink to="/distributions">All distributions</BackLink>
      <PageHeading
        aside={
          query.data && (
            <DistributionChip state={query.data.state} isAsked={query.data.asked_acts.length > 0} />
          )
        }
      >
        {`Distribution ${id}`}
      </PageHeading>
      <Loaded query={query} what="The distribution" skeleton="h-96">
        {(distribution) => (
          <>
            <div className="grid items-start gap-6 xl:grid-cols-2">
              <Summary distribution={distribution} />
              <div className="flex min-w-0 flex-col gap-6">
                {distribution.contract !== null && <Published distribution={distribution} />}
                {distribution.state === 'made' && <Steps distribution={distribution} />}
              </div>
            </div>
            <FilesCard distribution={distribution} />
            {distribution.schedule !== null && <Schedule schedule={distribution.schedule} />}
          </>
        )}
      </Loaded>
    </>
  )
}

function Summary({ distribution }: { distribution: DistributionRecord }) {
  const { tokenSymbol } = useSaleTerms()
  const { tool, root, rows, amount, left_out: leftOut } = distribution
  return (
    <Card title={toolTexts[tool].name}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Figure
          size="medium"
          value={wholeTokens(amount)}
          exact={amount}
          unit={tokenSymbol}
          label="Total"
        />
        <Figure
          size="medium"
          value={formatCoins(rows)}
          unit={rows === 1 ? 'wallet' : 'wallets'}
          label="In the files"
        />
      </div>
      {root !== null && <CopiedAddress label="Root that the tool must show" value={root} />}
      {distribution.ended_date === null && (
        <CopyField label="Amount to send" value={amount}>
          <span className="tabular wrap-anywhere">{`${amount} ${tokenSymbol}`}</span>
        </CopyField>
      )}
      <CopyField label="Amount in base units" value={distribution.amount_base_units}>
        <span className="tabular wrap-anywhere">{distribution.amount_base_units}</span>
      </CopyField>
      <CopiedAddress label="Contract of the token" value={distribution.token} />
      <dl className="flex flex-col divide-y divide-hairline">
        <LabelledLine label="Snapshot">{distribution.snapshot}</LabelledLine>
        <LabelledLine label="What it hands out">{throughText(distribution.through)}</LabelledLine>
        <LabelledLine label="Decimals of its contract">{distribution.token_decimals}</LabelledLine>
        {leftOut.tokens !== '0' && (
          <LabelledLine label="Left out by rounding to those decimals">
            {`${leftOut.tokens} ${tokenSymbol}, still due`}
          </LabelledLine>
        )}
        {leftOut.rows > 0 && (
          <LabelledLine label="Too little for those decimals">
            {walletsText(leftOut.rows)}
          </LabelledLine>
        )}
        <DateLine label="Made" date={distribution.made_date} />
        <DateLine
          label={distribution.state === 'withdrawn' ? 'Withdrawn' : 'Closed'}
          date={distribution.ended_date}
        />
        {distribution.reason !== null && (
          <LabelledLine label="Why">{distribution.reason}</LabelledLine>
        )}
      </dl>
      <DistributionActs distribution={distribution} />
    </Card>
  )
}

const walletsText = (count: number) => (count === 1 ? '1 wallet' : `${formatCoins(count)} wallets`)

function Published({ distribution }: { distribution: DistributionRecord }) {
  const { contract, claim_url: url, expires_date: expires, published_date: at } = distribution
  const { rows, progress } = distribution
  const { tokenSymbol } = useSaleTerms()
  return (
    <Card title="Published">
      <div className="grid gap-4 sm:grid-cols-2">
        <Figure
          size="medium"
          value={`${formatCoins(progress.delivered)} of ${formatCoins(rows)}`}
          label="Wallets that have received theirs for good"
        />
        <Figure
          size="medium"
          value={wholeTokens(progress.arrived_amount)}
          exact={progress.arrived_amount}
          unit={tokenSymbol}
          label="Arrived on the chain"
        />
      </div>
      <Warnings distribution={distribution} />
      {contract !== null && (
        <CopiedAddress label={toolTexts[distribution.tool].contract} value={contract} />
      )}
      <dl className="flex flex-col divide-y divide-hairline">
        {distribution.campaign !== null && (
          <LabelledLine label="Campaign">
            <span className="wrap-anywhere">{distribution.campaign}</span>
          </LabelledLine>
        )}
        <LabelledLine label="Seen, not confirmed yet">
          {formatCoins(progress.claimed - progress.delivered)}
        </LabelledLine>
        {progress.swept_amount !== '0' && (
          <LabelledLine label="Taken back">
            {`${formatCoins(progress.swept_amount)} tokens` +
              (progress.swept === 0
                ? ''
                : `; too little is left for ${walletsText(progress.swept)}`)}
          </LabelledLine>
        )}
        {distribution.from_block !== null && (
          <LabelledLine label="Read from block">{distribution.from_block}</LabelledLine>
        )}
        <DateLine label="Published" date={at} />
        {url !== null && (
          <LabelledLine label="Where buyers claim">
            <ExternalLink href={url}>{new URL(url).host}</ExternalLink>
          </LabelledLine>
        )}
        <DateLine label="Until" date={expires} />
      </dl>
    </Card>
  )
}

/** What somebody has to do about a list that is handed out. */
function Warnings({ distribution: { rows, progress } }: { distribution: DistributionRecord }) {
  const { tokenSymbol } = useSaleTerms()
  return (
    <>
      {progress.outdated > 0 && (
        <Banner tone="error">
          {`${walletsText(progress.outdated)} in this list must get nothing more of it: by the ` +
            'newest snapshot their owners have less than they are given, or another wallet. Take ' +
            'their tokens out of the contract, or their rows out of what you send; then end this ' +
            'list and make another one.'}
        </Banner>
      )}
      {progress.short > 0 && (
        <Banner tone="warning">
          {progress.short === 1
            ? '1 wallet was sent less than it is due. '
            : `${walletsText(progress.short)} were sent less than they are due. `}
          Send the rest from the same wallet.
        </Banner>
      )}
      {progress.missing_amount !== '0' && progress.claimed + progress.swept < rows && (
        <Banner tone="warning">
          {`Some was taken back, and the contract has ${progress.missing_amount} ${tokenSymbol} ` +
            'less than all who have not claimed are due: the last to claim get nothing. Send it ' +
            'that much, or take back the rest too. Until then nobody is mailed that they can claim.'}
        </Banner>
      )}
    </>
  )
}

function Steps({ distribution: { tool } }: { distribution: DistributionRecord }) {
  const { steps, limits } = toolTexts[tool]
  return (
    <Card title="What to do now">
      <ol className="flex list-decimal flex-col gap-2 pl-5">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Banner tone="info">{limits}</Banner>
    </Card>
  )
}

/** A share with 18 decimals, of which 10^18 is all: `1%`. */
const percentText = (share: string) => `${formatDecimal(BigInt(share), 16)}%`

function Schedule({ schedule }: { schedule: NonNullable<DistributionRecord['schedule']> }) {
  return (
    <Card title="Release schedule for the tool">
      <p className="text-14 text-quiet">
        The schedule file has the same in the contract’s units: percentages with 18 decimals, and
        what all wallets together get at each step.
      </p>
      <dl className="flex flex-col divide-y divide-hairline">
        <DateLine label="Start" date={schedule.vesting_start_date} />
        {schedule.steps.map(({ name, percentage, seconds }) => (
          <LabelledLine key={name} label={name}>
            <span className="tabular wrap-anywhere">
              {`${percentText(percentage)}, ${seconds} s after the step before`}
            </span>
          </LabelledLine>
        ))}
        {schedule.total_seconds !== null && (
          <LabelledLine label="To the end">{`${schedule.total_seconds} seconds`}</LabelledLine>
        )}
      </dl>
    </Card>
  )
}
