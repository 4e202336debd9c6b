import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { type ApprovalRecord, approvalsContract } from '#contract/operator/approvals.ts'
import { networkName } from '#domain/chains/chain.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { BackLink } from '#console/kit/back-link.tsx'
import { Loaded, watchedQuery } from '#console/kit/loaded.tsx'
import {
  CopiedHash,
  DateLine,
  StateChip,
  Time,
  CopiedAddress,
  Labelled,
  PersonLink,
} from '#console/kit/values.tsx'
import { assetName, Transaction } from '#console/purchases/amounts.tsx'
import { reasons } from '#console/refunds/refund-table.tsx'
import { useSelf } from '#console/session/self.ts'
import { TextLink } from '#web/ui/actions.tsx'
import { AddressText } from '#web/ui/address-text.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Card, LabelledLine } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import {
  askedByText,
  effects,
  labelOf,
  shortSummary,
  stakeOf,
  stateTexts,
  subjectOf,
} from './approval-texts.ts'
import { Decisions } from './decisions.tsx'

/** One act that waits or has waited: everything that it would do, and the decision about it. */
export function ApprovalScreen() {
  const { id = '' } = useParams()
  const query = useQuery(
    watchedQuery(['operator', 'approvals', 'one', id], approvalsContract.getApproval, {
      params: { id },
    }),
  )
  const approval = query.data
  return (
    <>
      <BackLink to="/approvals">All approvals</BackLink>
      <PageHeading aside={approval && <StateChip look={stateTexts[approval.state]} />}>
        {approval === undefined ? 'Approval' : shortSummary(approval.summary)}
      </PageHeading>
      <Loaded query={query} what="The approval" skeleton="h-96">
        {(shown) => <Details approval={shown} />}
      </Loaded>
    </>
  )
}

function Details({ approval }: { approval: ApprovalRecord }) {
  const { state, summary, reason, act: name } = approval
  const subject = subjectOf(approval)
  const { permissions } = useSelf()
  return (
    <>
      {state === 'failed' && (
        <Banner tone="error">It was approved but could not be carried out: {reason}.</Banner>
      )}
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <Card title="What would be done">
          {shortSummary(summary) !== summary && <p className="wrap-anywhere">{summary}.</p>}
          {effects[name] !== undefined && <p className="text-quiet">{effects[name]}</p>}
          {approval.refund !== null && (
            <RefundFacts refund={approval.refund} input={approval.input} />
          )}
          <Input act={name} input={approval.input} />
          {subject !== null && permissions.includes(subject.permission) && (
            <TextLink to={subject.to} className="self-start">
              {subject.label}
            </TextLink>
          )}
        </Card>
        <Card title="Who and when">
          <Facts approval={approval} />
          <CopiedHash label="SHA-256 of what would be done" value={approval.hash} />
          {state === 'waiting' && <Decisions approval={approval} />}
        </Card>
      </div>
    </>
  )
}

/** The input, word for word: the hash covers exactly this. */
function Input({ act: name, input }: Pick<ApprovalRecord, 'act' | 'input'>) {
  const fields = Object.entries(input).map(([field, value]) => {
    const text = textOf(value)
    return { label: labelOf(field, name), text, isCompared: compared.has(field) && text !== NONE }
  })
  const isShort = ({ text, isCompared }: ValueProps) => !isCompared && /^.{1,32}$/.test(text)
  return (
    <>
      <dl className="flex flex-col divide-y divide-hairline empty:hidden">
        {fields.filter(isShort).map(({ label, text }) => (
          <LabelledLine key={label} label={label}>
            <span className="whitespace-pre-wrap">{text}</span>
          </LabelledLine>
        ))}
      </dl>
      <dl className="flex flex-col gap-3 empty:hidden">
        {shortestFirst(fields.filter((field) => !isShort(field))).map((field) => (
          <div key={field.label} className="flex flex-col gap-1">
            <dt className="text-14 text-quiet">{field.label}</dt>
            <dd>
              <Value {...field} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** Longer input scrolls within its own area, so that the decision stays near. */
const WHOLE_LENGTH_MAX = 400

interface ValueProps {
  label: string
  text: string
  isCompared: boolean
}

function Value({ label, text, isCompared }: ValueProps) {
  const look =
    'rounded-control border border-hairline bg-raised px-3 py-2 text-14 wrap-anywhere whitespace-pre-wrap'
  if (isCompared) {
    return (
      <div className={look}>
        <AddressText value={text} />
      </div>
    )
  }
  if (text.length <= WHOLE_LENGTH_MAX) return <div className={look}>{text}</div>
  return (
    // The keyboard can only scroll what can have the focus.
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className={classNames(look, 'max-h-96 overflow-auto')}
    >
      {text}
    </div>
  )
}

/** Addresses and hashes are shown in groups of four, as the approver compares them. */
const compared: ReadonlySet<string> = new Set([
  'address',
  'former',
  'contract',
  'treasury',
  'root',
  'hash',
  'sha256',
])
const NONE = 'None'

/** Puts a whole file below everything else. */
function shortestFirst(fields: readonly ValueProps[]): ValueProps[] {
  return fields.toSorted(({ text: one }, { text: other }) => one.length - other.length)
}

function textOf(value: unknown): string {
  if (value === null) return NONE
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'string') return value
  const isTexts = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return isTexts ? value.join('\n') : JSON.stringify(value, null, 2)
}

function Facts({ approval }: { approval: ApprovalRecord }) {
  const { decided_by: by, decided_date: decided, reason, state } = approval
  const stake = stakeOf(approval)
  return (
    <dl className="flex flex-col divide-y divide-hairline">
      {stake !== null && (
        <LabelledLine label="At stake" isStrong>
          {stake}
        </LabelledLine>
      )}
      <LabelledLine label="Asked by">{askedByText(approval.asked_by)}</LabelledLine>
      <DateLine label="Asked" date={approval.asked_date} />
      {state === 'waiting' && (
        <LabelledLine label="Expires">
          <Time value={approval.expires_date} as="age" />
        </LabelledLine>
      )}
      {decided !== null && state !== 'expired' && (
        <LabelledLine label={decidedLabels[state] ?? 'Approved by'}>
          {by?.name ?? 'The server’s token'}, <Time value={decided} />
        </LabelledLine>
      )}
      {reason !== null && state !== 'failed' && <LabelledLine label="Why">{reason}</LabelledLine>}
    </dl>
  )
}

const decidedLabels: Partial<Record<ApprovalRecord['state'], string>> = {
  refused: 'Refused by',
  withdrawn: 'Withdrawn by',
}

interface RefundFactsProps {
  refund: NonNullable<ApprovalRecord['refund']>
  input: ApprovalRecord['input']
}

/** Whom a refund is owed to, for what, and how it was sent, as it was paid by hand. */
function RefundFacts({ refund, input }: RefundFactsProps) {
  const { user, payment_token: coin, purchase_id: purchaseId } = refund
  const { amount, hash } = input
  return (
    <>
      <dl className="flex flex-col divide-y divide-hairline">
        <LabelledLine label="Said to be sent" isStrong>
          {`${String(amount)} ${assetName(coin)}`}
        </LabelledLine>
        <LabelledLine label="Network">
          {coin === null ? refund.chain : networkName(coin)}
        </LabelledLine>
        {coin === null && refund.asset !== null && (
          <LabelledLine label="Token">{refund.asset}</LabelledLine>
        )}
        <LabelledLine label="Owed to">
          <PersonLink user={user} />
        </LabelledLine>
        <LabelledLine label="For purchase">
          <TextLink to={`/purchases/${purchaseId}`}>{purchaseNumber(purchaseId)}</TextLink>
        </LabelledLine>
        <LabelledLine label="Why">{reasons[refund.reason]}</LabelledLine>
        <DateLine label="Owed since" date={refund.since_date} />
      </dl>
      <Labelled label="Transaction named as the refund">
        <Transaction hash={String(hash)} url={refund.sent_explorer_url} />
      </Labelled>
      <Labelled label="Received in the transaction">
        <Transaction hash={refund.receipt_hash} url={refund.receipt_explorer_url} />
      </Labelled>
      <CopiedAddress label="Received at the address" value={refund.address} />
    </>
  )
}
