import type { DeathPoint } from './in-server/black-box.ts'

export type NamedPoint = Omit<DeathPoint, 'nth'> & {
  /** One of the first this many matches is chosen. */
  oneOf: number
  /** If it can only be reached with payments of this kind. */
  payments?: 'sandbox' | 'gateway'
  /** While the server starts, after it died before. */
  isInStart?: true
}

const COMMIT = '^commit'
const TAKEN = 'delete from "settlements_due"'
/** Later, when there was something to settle. */
const SETTLING = 'update purchases set \\('
const READING = 'update "chains" set|insert into "chains"'
const WEBHOOK = 'insert into "gateway_events"'
const MARKED_SENT = 'update "outbox_mails" set "sent_at"'

const inTransaction = (
  what: string,
  within: string,
  rest: Pick<NamedPoint, 'payments' | 'isInStart'> & { oneOf?: number } = {},
): NamedPoint[] =>
  (
    [
      ['before its COMMIT is sent', 'before'],
      ['with its COMMIT on the way', 'sent'],
      ['committed, before anybody knows', 'answered'],
    ] as const
  ).map(([when, moment]) => ({
    name: `${what}, ${when}`,
    moment,
    statement: COMMIT,
    within,
    oneOf: 3,
    ...rest,
  }))

const around = (
  what: string,
  statement: string,
  rest: Pick<NamedPoint, 'payments' | 'isInStart'> & { oneOf?: number } = {},
): NamedPoint[] =>
  (
    [
      ['before it is sent', 'before'],
      ['on the way', 'sent'],
      ['done, before anybody knows', 'answered'],
    ] as const
  ).map(([when, moment]) => ({ name: `${what}, ${when}`, moment, statement, oneOf: 4, ...rest }))

/** Where a server is killed on purpose. */
export const namedPoints: readonly NamedPoint[] = [
  ...around('a purchase', 'create_purchases\\(', { oneOf: 12 }),
  ...inTransaction('a settlement', SETTLING, { oneOf: 2 }),
  { name: 'a settlement, taken from the list', moment: 'answered', statement: TAKEN, oneOf: 4 },
  {
    name: 'a settlement, with the counters locked',
    moment: 'answered',
    statement: 'from "stage_counters" order by "stage_id" for update',
    within: TAKEN,
    oneOf: 2,
  },
  {
    name: 'a settlement, with the purchases written and not the ledger',
    moment: 'before',
    statement: 'insert into "ledger_transfers"',
    within: SETTLING,
    oneOf: 2,
  },
  {
    name: 'a settlement, with the ledger written and not the counter',
    moment: 'before',
    statement: 'update "stage_counters" set',
    within: SETTLING,
    oneOf: 2,
  },
  {
    name: 'a settlement, before its mails are written',
    moment: 'before',
    statement: 'insert into "outbox_mails"',
    within: SETTLING,
    oneOf: 2,
  },
  {
    name: 'a settlement, before others are told',
    moment: 'before',
    statement: 'pg_notify',
    within: SETTLING,
    oneOf: 2,
  },
  ...inTransaction('a chain that is read', READING, { oneOf: 5 }),
  {
    name: 'a chain that is read, before its receipts are written',
    moment: 'before',
    statement: 'insert into "receipts"',
    oneOf: 4,
  },
  ...around('a mail that was handed over, being marked', MARKED_SENT),
  {
    name: 'a mail that was claimed, before it is composed',
    moment: 'answered',
    statement: 'update "outbox_mails" set "claimed_by"',
    oneOf: 4,
  },
  {
    name: 'a mail that was composed, before it is handed over',
    moment: 'answered',
    statement: 'update "outbox_mails" set "claimed_until" = \\$1 where',
    oneOf: 4,
  },
  ...inTransaction('a payment that is sent', 'insert into "sandbox_transfers"', {
    payments: 'sandbox',
    oneOf: 8,
  }),
  ...around('a webhook', WEBHOOK, { payments: 'gateway' }),
  {
    name: 'a webhook, before its payment is asked about',
    moment: 'before',
    statement: 'update "gateway_payments" set "ask_next_at"',
    payments: 'gateway',
    oneOf: 6,
  },
  ...around('a payment that the gateway is asked for', 'insert into "gateway_payments"', {
    payments: 'gateway',
    oneOf: 12,
  }),
  ...inTransaction('an answer of the gateway', 'insert into "gateway_deposits"', {
    payments: 'gateway',
  }),
  ...around('the start, looking for migrations', 'create table if not exists migrations', {
    isInStart: true,
    oneOf: 1,
  }),
  ...inTransaction('the start, applying the sale', 'from "sale"|insert into "sale"', {
    isInStart: true,
    oneOf: 1,
  }),
  {
    name: 'the start, before the clock is read',
    moment: 'before',
    statement: 'clock_timestamp\\(\\)',
    isInStart: true,
    oneOf: 3,
  },
  ...around('the start, taking a lease', 'insert into "leases"', { isInStart: true, oneOf: 2 }),
]

/** Whether a server that is killed there leaves a transaction without its COMMIT's answer. */
export function isInsideTransaction({ within, statement, moment }: NamedPoint): boolean {
  return within !== undefined && !(statement === COMMIT && moment === 'answered')
}
