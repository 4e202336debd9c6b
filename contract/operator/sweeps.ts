import * as z from 'zod/mini'
import { sweepStates, sweepTransactionStates } from '#domain/chains/sweep-states.ts'
import { DecimalString, Instant, textLike, textUpTo } from '#contract/values.ts'
import { Id } from '#contract/shapes.ts'
import { ItemParams, operatorAct, operatorRead } from './shapes.ts'

/** A thousand payments in tokens, with their gas, take 600,000 characters. */
const TEXT_LENGTH_MAX = 1_000_000
const BODY_BYTES_MAX = 1280 * 1024

const Address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))
const Count = z.int().check(z.minimum(0))
/** A whole number of wei, in digits. */
const Wei = z.string().check(z.regex(/^\d{1,30}$/))

const Asset = z.object({
  symbol: z.string(),
  /** Null for the chain’s own coin. */
  contract: z.nullable(Address),
  decimals: Count,
})

/** What whoever has the wallet's words is to sign, on a machine without a network. */
export const SweepList = z.object({
  kind: z.literal('sweep-list/1'),
  chain_id: z.int().check(z.minimum(1)),
  /** The fingerprint of the public key that the addresses are derived from. */
  key_fingerprint: z.string(),
  treasury: Address,
  made_date: z.string(),
  /** Per unit of gas, in wei: each transaction pays exactly this. */
  gas_price: Wei,
  payer: z.object({
    address: Address,
    nonce: Count,
    balance: DecimalString,
    /** What all fundings and their fees need. */
    needs: DecimalString,
  }),
  /** Gas money for addresses that have only tokens. */
  fundings: z.array(z.object({ address: Address, amount: DecimalString, gas: Count })),
  /** What goes to the treasury; transfers from one address are in the order of their nonces. */
  transfers: z.array(
    z.object({
      address: Address,
      /** Below the account’s external branch: `m/44'/60'/0'/0/index`. */
      index: Count,
      nonce: Count,
      ...Asset.shape,
      amount: DecimalString,
      gas: Count,
    }),
  ),
  totals: z.array(z.object({ ...Asset.shape, amount: DecimalString, count: Count })),
  left_out: z.array(
    z.object({ address: z.string(), symbol: z.string(), amount: DecimalString, why: z.string() }),
  ),
})
export type SweepList = z.output<typeof SweepList>

/** What the machine without a network makes from a list. */
export const SignedSweep = z.object({
  kind: z.literal('signed-sweep/1'),
  chain_id: z.int().check(z.minimum(1)),
  treasury: Address,
  /** In lines, for the person who carries the file. */
  summary: z.array(z.string()),
  /** The bytes of each transaction in hex, in sending order. */
  transactions: z
    .array(z.string().check(z.regex(/^0x[0-9a-f]{2,4000}$/)))
    .check(z.minLength(1), z.maxLength(3_000)),
})
export type SignedSweep = z.output<typeof SignedSweep>

const Token = z.nullable(z.string())

export const Sweep = z.object({
  id: Id,
  chain: z.string(),
  treasury: z.string(),
  payer: z.string(),
  state: z.enum(sweepStates),
  /** SHA-256 of the file. */
  file_hash: z.string(),
  kept_date: Instant,
  opened_date: z.nullable(Instant),
  closed_date: z.nullable(Instant),
  counts: z.object(
    Object.fromEntries(sweepTransactionStates.map((state) => [state, Count])) as Record<
      (typeof sweepTransactionStates)[number],
      typeof Count
    >,
  ),
  /** For each asset, what goes to the treasury, and how much of it has arrived for good. */
  totals: z.array(
    z.object({
      payment_token_id: Token,
      symbol: z.string(),
      amount: DecimalString,
      confirmed: DecimalString,
    }),
  ),
  /** Transactions that wait for something or have failed, each with what to do. */
  faults: z.array(
    z.object({
      hash: z.string(),
      kind: z.enum(['gas', 'coins', 'tokens']),
      address: z.string(),
      state: z.enum(sweepTransactionStates),
      fault: z.string(),
    }),
  ),
})
export type Sweep = z.output<typeof Sweep>

const SweepChain = z.object({
  chain: z.string(),
  chain_id: z.int(),
  /** Null if EVM_TREASURY_… is not set. */
  treasury: z.nullable(z.string()),
  payer: z.string(),
  /** Why its nodes are not answering now; then everything below is empty. */
  fault: z.nullable(z.string()),
  payer_balance: z.nullable(DecimalString),
  /** In wei, what the network asks for now. */
  gas_price: z.nullable(z.string()),
  /** What is at our addresses, and how much of it is worth sweeping at this fee. */
  lying: z.array(
    z.object({
      payment_token_id: Token,
      symbol: z.string(),
      amount: DecimalString,
      addresses: Count,
      sweepable_amount: DecimalString,
      sweepable_addresses: Count,
    }),
  ),
  balances: z.array(
    z.object({
      address: z.string(),
      payment_token_id: Token,
      symbol: z.string(),
      amount: DecimalString,
      /** In dollars; null if it has no price. */
      amount_fiat: z.nullable(DecimalString),
      pays_off: z.boolean(),
    }),
  ),
  /** What has left our addresses in any way, by destination, as read from the chain. */
  swept: z.array(
    z.object({
      payment_token_id: Token,
      symbol: z.string(),
      recipient: z.string(),
      is_treasury: z.boolean(),
      amount: DecimalString,
      count: Count,
    }),
  ),
})

export const SweepReport = z.object({
  chains: z.array(SweepChain),
  sweeps: z.array(Sweep),
  /** What left our addresses most recently, transfer by transfer. */
  movements: z.array(
    z.object({
      chain: z.string(),
      hash: z.string(),
      address: z.string(),
      recipient: z.string(),
      payment_token_id: Token,
      symbol: z.string(),
      amount: DecimalString,
      moved_date: Instant,
    }),
  ),
})
export type SweepReport = z.output<typeof SweepReport>

const digits = (fault: string) =>
  z.pipe(
    textLike(/^\d{1,15}$/, fault),
    z.transform((text: string) => Number(text)),
  )

/** Moving what is at one address per purchase to a treasury, without keys on the server. */
export const sweepsContract = {
  getSweeps: operatorRead({
    path: '/operator/sweeps',
    permission: 'sweeps.manage',
    summary:
      'Returns what is at our addresses, what is worth sweeping, what was swept, and where to.',
    result: SweepReport,
  }),
  listSweep: operatorRead({
    path: '/operator/sweeps/list',
    permission: 'sweeps.manage',
    summary:
      'Returns a list of what is worth sweeping on a chain now, to be signed without a network.',
    query: z.strictObject({
      /** EIP-155: 1 for Ethereum. */
      chain_id: digits('Must be the id of a chain, such as 1 for Ethereum'),
      /**
       * The price of a unit of gas, in gwei; a quarter above what the network asks for if left out.
       */
      gas_gwei: z.optional(
        textLike(/^\d{1,6}(\.\d{1,9})?$/, 'Must be a number of gwei such as 1.5'),
      ),
      /** Leaves out amounts worth less than this, in whole dollars. */
      min_usd: z._default(digits('Must be whole dollars'), 0),
      /** At most this many transfers, the largest first. */
      limit: z._default(
        z.pipe(
          textLike(/^([1-9]\d{0,2}|1000)$/, 'Must be from 1 to 1000'),
          z.transform((text: string) => Number(text)),
        ),
        500,
      ),
    }),
    result: SweepList,
    errors: ['SweepRefused', 'RailUnavailable'],
  }),
  sendSweep: operatorAct({
    path: '/operator/sweeps/send',
    permission: 'sweeps.manage',
    summary: 'Checks a signed file, transaction by transaction, and has the server send it.',
    body: z.strictObject({
      /** The file’s text: `--text @signed.json`. */
      text: textUpTo(
        TEXT_LENGTH_MAX,
        'Give the file that the machine without a network has signed',
        'Must be at most 1,000,000 characters',
      ),
    }),
    bodyBytesMax: BODY_BYTES_MAX,
    result: Sweep,
    mayWait: true,
    errors: ['SweepRefused', 'RailUnavailable'],
  }),
  stopSweep: operatorAct({
    path: '/operator/sweeps/{id}/stop',
    permission: 'sweeps.manage',
    summary:
      'Stops a sweep: gives up what was not sent yet, and what was sent goes on. If everything was ' +
      'sent, gives up what is in no block, though that may still be mined.',
    params: ItemParams,
    result: Sweep,
  }),
}
