import { createHash } from 'node:crypto'
import { cryptoAmount, formatDecimal, formatGrouped } from '#domain/money.ts'
import { Refusal } from '#domain/refusal.ts'
import {
  closeSweep,
  findOpenSweep,
  findSweep,
  giveUpKeptSweep,
  giveUpSent,
  insertSweep,
  listTransactions,
  lockSweepOfFile,
  openSweep,
  stopSweep as stopTransactions,
  type SweepRow,
} from '#server/database/sweeps/sweeps.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { actOrWait, requireApproval } from '#server/use-cases/approvals/require-approval.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { checkSigned, type CheckedTransfer, type SignedFile } from './check-signed.ts'
import { listSweepable, refused, requireTreasury } from './sweeping-of.ts'

export type FileToSend = SignedFile & {
  /** Exactly as received: its hash is what two people agree on. */
  text: string
}

/**
 * Checks a signed file and lets the server send it, once a second person has approved it. Sending
 * the same file again returns its state. Throws `WaitsForApproval`. Refuses with `InvalidInput`,
 * `SweepRefused`, `RailUnavailable`.
 */
export async function sendSweep(services: Services, file: FileToSend, operator: Operator) {
  const hash = createHash('sha256').update(file.text).digest('hex')
  return await openChecked(services, file, hash, operator)
}

/**
 * Opens the file that was kept when a second person was asked for, and checks its transactions once
 * more.
 */
export async function sendKeptSweep(
  services: Services,
  { hash }: { hash: string },
  operator: Operator,
): Promise<SweepRow> {
  const kept = await services.database
    .transaction()
    .execute((transaction) => lockSweepOfFile(transaction, hash))
  if (kept === null) throw new Refusal('NotFound')
  if (kept.state === 'closed') throw refused('This sweep was stopped. Make a new list')
  const found = listSweepable(services).find(({ chain }) => chain.name === kept.chain)
  const transactions = await listTransactions(services.database, kept.id)
  const chainId = found?.chain.chainId ?? 0
  const file = { chainId, transactions: transactions.map(({ raw }) => raw) }
  return await openChecked(services, file, hash, operator)
}

async function openChecked(
  services: Services,
  { chainId, transactions }: SignedFile,
  hash: string,
  operator: Operator,
): Promise<SweepRow> {
  const sweepable = await requireTreasury(services, chainId)
  const known = await services.database
    .transaction()
    .execute((transaction) => lockSweepOfFile(transaction, hash))
  if (known !== null && known.state !== 'kept') return known
  const checked = await checkSigned(services, sweepable, transactions)
  const { treasury, chain, sweeping } = sweepable
  return await actOrWait(services, operator, async (transaction) => {
    const now = services.clock.now()
    const sweep =
      (await lockSweepOfFile(transaction, hash)) ??
      (await insertSweep(
        transaction,
        {
          id: services.random.id(),
          chain: chain.name,
          treasury,
          payer: sweeping.payer,
          file_hash: hash,
          kept_at: now,
        },
        checked.map(rowOf),
      )) ??
      (await lockSweepOfFile(transaction, hash))
    if (sweep === null) throw new Refusal('Busy')
    if (sweep.state !== 'kept') return sweep
    if ((await findOpenSweep(transaction, chain.name)) !== null) throw refused(IN_FLIGHT)
    const sums = sumsOf(services, checked, formatDecimal)
    const written = sumsOf(services, checked, formatGrouped)
    const waits = await requireApproval(services, transaction, operator, {
      act: 'sendSweep',
      input: { hash, chain: chain.name, treasury, transactions: checked.length, sums },
      summary: `Send ${written.join(', ')} to the treasury ${treasury} on ${chain.name}`,
      about: hash,
      usd: null,
    })
    if (waits !== null) return waits
    if (!(await openSweep(transaction, sweep, now))) throw refused(IN_FLIGHT)
    await recordAction(services, transaction, operator, {
      act: 'sendSweep',
      details: { sweep_id: sweep.id, hash, chain: chain.name, treasury, sums: sums.join(', ') },
    })
    return { ...sweep, state: 'open', opened_at: now }
  })
}

const IN_FLIGHT =
  'Another sweep on this chain is in progress. Wait until it has ended, or stop it, and make a ' +
  'new list'

const GIVEN_UP =
  'Given up while it was in no block. It may still be mined; another list replaces it'

/**
 * Gives up what was not sent, which is everything if the sweep waits for a second person. If
 * everything was sent, it gives up what is in no block, as when the gas price was signed too low.
 * Refuses with `NotFound`.
 */
export async function stopSweep(services: Services, id: string, operator: Operator) {
  const sweep = isId(id) ? await findSweep(services.database, id) : null
  if (sweep === null) throw new Refusal('NotFound', { message: 'There is no sweep with this id' })
  await services.database.transaction().execute(async (transaction) => {
    const locked = await lockSweepOfFile(transaction, sweep.file_hash)
    if (locked === null || locked.state === 'closed') return
    const now = services.clock.now()
    const stopped = await stopTransactions(transaction, id)
    const givenUp = stopped === 0 ? await giveUpSent(transaction, id, GIVEN_UP) : 0
    if (locked.state === 'kept') await giveUpKeptSweep(transaction, id, now)
    else await closeSweep(transaction, id, now)
    const details = { sweep_id: id, stopped: String(stopped), given_up: String(givenUp) }
    await recordAction(services, transaction, operator, { act: 'stopSweep', details })
  })
  return (await findSweep(services.database, id)) ?? sweep
}

function rowOf(each: CheckedTransfer, place: number) {
  return {
    place,
    kind: each.kind,
    transaction_hash: each.hash,
    raw: each.raw,
    sender: each.from,
    nonce: each.nonce,
    address: each.address,
    payment_token_id: each.paymentTokenId,
    amount: each.amount,
    fee: cryptoAmount(each.gas * each.gasPrice),
  }
}

/** `1200 USDT`, for each asset that goes to the treasury. */
function sumsOf(
  { sale }: Services,
  checked: readonly CheckedTransfer[],
  format: typeof formatDecimal,
): string[] {
  const swept = checked.filter(({ kind }) => kind !== 'gas')
  return [...Map.groupBy(swept, ({ paymentTokenId }) => paymentTokenId)].map(([id, list]) => {
    const token = sale.paymentTokens.find((each) => each.id === id)
    const sum = list.reduce((total, { amount }) => total + amount, 0n)
    // The coin of every EVM chain has 18 decimals.
    return `${format(sum, token?.decimals ?? 18)} ${token?.symbol ?? 'COIN'}`
  })
}
