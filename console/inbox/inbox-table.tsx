import { consoleContract, type InboxItem } from '#contract/operator/console.ts'
import { formatUsd } from '#web/lib/format/format.ts'
import { call } from '#web/lib/api/call.ts'
import { Button, SmallButton, TextLink } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { useAttempt } from '#web/ui/feedback/use-attempt.ts'
import { useQueryClient } from '@tanstack/react-query'
import { shortSummary } from '#console/approvals/approval-texts.ts'
import { keepFocus } from '#console/kit/keep-focus.ts'
import { type Column, Table } from '#console/kit/table.tsx'
import { Time } from '#console/kit/values.tsx'
import { anyoneIn } from './anyone-in.ts'
import { kindClosedByHand } from './close-dialog.tsx'
import { useMay, useSelf } from '#console/session/self.ts'

const keyOf = ({ kind, id }: InboxItem) => `${kind} ${id}`

interface InboxTableProps {
  items: readonly InboxItem[]
  /** Asks for the reason: outside of the list, from which the item may go meanwhile. */
  onPutAway: (item: InboxItem) => void
}

/** What waits, whose it is, since when, how much is at stake, and what to do about it. */
export function InboxTable({ items, onPutAway }: InboxTableProps) {
  return (
    <Table
      label="Waiting for a person"
      columns={[...columns, actsColumn(onPutAway)]}
      rows={items}
      keyOf={keyOf}
    />
  )
}

function What({ item: { title, detail, ...item } }: { item: InboxItem }) {
  return (
    <span className="flex flex-col gap-1">
      <span className="font-medium wrap-anywhere">{shortSummary(title)}</span>
      {detail !== null && <span className="wrap-anywhere text-quiet">{detail}</span>}
      <NextStep item={item} />
    </span>
  )
}

const stepTexts: Record<InboxItem['kind'], string> = {
  refund: 'Send it back and mark it as paid',
  uncovered: 'See the purchase, and whether the money came again',
  sent_not_owed:
    'Look the transaction up. If it has paid the buyer, ask for the money back, and put this away',
  claim: 'Approve or reject it',
  claim_to_send: 'Put it into a batch',
  claim_uncovered: 'Take it out of its batch, and reject it',
  batch:
    'Send it, name what has sent it, or cancel it. Raise the fee of what waits for a block in your wallet',
  paid_twice: 'Ask for it back, and put this away',
  payout_gone:
    'Wait, and look in your wallet. If it does not come back, send it again with the same nonce or from ' +
    'the same coins, and put this away',
  foreign: 'Take them up as a debt, or put them away',
  sweep: 'Find out why, make a new list, and put this away',
  lost_payment: 'Look for the payment at the gateway. If no purchase has it, put this away then',
  held: 'Release the purchase or let it fail',
  unconfirmed: 'Look for the payment on its chain, and wait or let the purchase fail',
  unmatched: 'Find out whose it is, send it back, and put this away',
  approval: 'Approve or refuse it',
  mail: 'Tell the buyer or operator some other way, and put this away',
  chain: 'Check the server’s log and its nodes',
  feed: 'Check the server’s log for the feeds',
  breach: 'Correct the books, then resume the sale',
  guard: 'Look for the check in the server’s log',
  snapshot: 'Look at what differs, and correct the snapshot',
  delivery: 'Open it: it says what is missing, and where to send it',
  late_delivery: 'Withdraw newer lists that were not sent, and put this away',
  pause: 'Resume the sale once the cause is gone',
}

const repeatedText =
  'Publish the list that they are of. If there is none, withdraw newer lists that were not sent, or ' +
  'ask for the tokens back, and put this away'

type ItemKey = Pick<InboxItem, 'kind' | 'id' | 'purchase_id' | 'user_id'>

/** The next step, as a link if there is a screen for it. */
function NextStep({ item }: { item: ItemKey }) {
  const isRepeated = item.kind === 'late_delivery' && item.id.split(':')[1] === 'repeated'
  const text = isRepeated ? repeatedText : stepTexts[item.kind]
  const mayReadPeople = useMay('people.read')
  const screen = screenOf(item)
  const href = screen?.startsWith('/people/') && !mayReadPeople ? null : screen
  return (
    <span className="text-quiet">
      Next: {href === null ? text : <TextLink to={href}>{text}</TextLink>}
    </span>
  )
}

/** The screen for the next step; null if that is done outside of the console. */
function screenOf({ kind, id, purchase_id: purchaseId, user_id: userId }: ItemKey): string | null {
  switch (kind) {
    case 'approval':
      return `/approvals/${id}`
    case 'claim':
    case 'claim_uncovered':
      return `/refunds/claims/${id}`
    case 'claim_to_send':
      return '/refunds/batches'
    case 'batch':
      return `/refunds/batches/${id}`
    case 'snapshot':
      return '/delivery'
    case 'foreign':
      return '/refunds/transfers'
    case 'sweep':
      return '/sweeps'
    case 'delivery':
      return `/distributions/${id}`
    case 'late_delivery':
      return `/distributions/${id.split(':')[0]}`
    case 'pause':
    case 'breach':
      return '/sale'
    default:
      if (purchaseId !== null) return `/purchases/${purchaseId}`
      return userId === null ? null : `/people/${userId}`
  }
}

function Owner({ item: { owner, role } }: { item: InboxItem }) {
  if (owner === null) {
    return <span className="whitespace-nowrap text-quiet">{anyoneIn(role)}</span>
  }
  return <span>{owner.name}</span>
}

interface ActsProps {
  item: InboxItem
  onPutAway: (item: InboxItem) => void
}

function Acts({ item, onPutAway }: ActsProps) {
  const client = useQueryClient()
  const self = useSelf()
  const isMine = item.owner?.id === self.id
  const mayTake = self.permissions.includes(item.permission)
  const { isBusy, attempt } = useAttempt(async () => {
    const { takeInboxItem, leaveInboxItem } = consoleContract
    const { kind, id, owner } = item
    const body = { kind, id, owner_id: owner?.id ?? null }
    await call(isMine ? leaveInboxItem : takeInboxItem, { body }).finally(
      () => void client.invalidateQueries({ queryKey: ['operator', 'inbox'] }).then(keepFocus),
    )
    toast.success(isMine ? 'Others can take it now.' : 'You have taken it.')
  }, 'The server does not answer. Try it again.')

  if (!mayTake && !isMine) return null
  return (
    <span className="flex flex-wrap gap-2 max-md:justify-end md:-my-2">
      <SmallButton
        isBusy={isBusy}
        onClick={attempt}
        aria-label={`${isMine ? 'Leave' : 'Take'}: ${item.title}`}
      >
        {isMine ? 'Leave' : 'Take'}
      </SmallButton>
      {kindClosedByHand(item) !== null && mayTake && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => onPutAway(item)}
          aria-label={`Put away: ${item.title}`}
        >
          Put away
        </Button>
      )}
    </span>
  )
}

const columns: readonly Column<InboxItem>[] = [
  { header: 'What', isTitle: true, cell: (item) => <What item={item} /> },
  { header: 'Owner', cell: (item) => <Owner item={item} /> },
  {
    header: 'Since',
    cell: ({ since_date: since }) => <Time value={since} none="from the start" as="age" />,
  },
  {
    header: 'At stake',
    isNumber: true,
    cell: ({ amount_fiat: amount }) => (
      <span className="whitespace-nowrap">{amount === null ? '–' : formatUsd(amount)}</span>
    ),
  },
]

const actsColumn = (onPutAway: ActsProps['onPutAway']): Column<InboxItem> => ({
  header: 'Acts',
  isAct: true,
  cell: (item) => <Acts item={item} onPutAway={onPutAway} />,
})
