import * as z from 'zod/mini'

import { distributionStates, distributionTools } from '#domain/delivery/distribution.ts'
import { DecimalString, Instant, textLike } from '#contract/values.ts'
import {
  AskedAct,
  EndMoment,
  NumberId,
  operatorAct,
  operatorRead,
  pageFrom,
  Reason,
} from './shapes.ts'

const Count = z.int().check(z.minimum(0))
const Hash = z.string().check(z.regex(/^0x[0-9a-f]{64}$/))
/** A number of base units, in digits. */
const BaseUnits = z.string().check(z.regex(/^\d{1,78}$/))

/** Tokens of a snapshot that are handed out together, with one tool. */
export const Distribution = z.object({
  id: z.string(),
  snapshot: z.int(),
  tool: z.enum(distributionTools),
  state: z.enum(distributionStates),
  /** It hands out what is released up to this many months after the start; null for everything. */
  through: z.nullable(z.int()),
  chain_id: z.int(),
  /** The token's contract, with its decimals. */
  token: z.string(),
  token_decimals: Count,
  rows: Count,
  /** In whole tokens of the sale. */
  tokens: DecimalString,
  /** What its files hand out, in whole units and in base units of the token's contract. */
  amount: DecimalString,
  amount_base_units: BaseUnits,
  /**
   * What rounds to nothing in the contract's decimals, which stays due, and the wallets of which
   * that is all.
   */
  left_out: z.object({ rows: Count, tokens: DecimalString }),
  /** The root of the tree that the tool computes from the file; null if it makes none. */
  root: z.nullable(Hash),
  made_date: Instant,
  /** The contract that buyers claim from, or the wallet that sends. */
  contract: z.nullable(z.string()),
  /** Which campaign of the contract, if that has many: 16 bytes in hexadecimal. */
  campaign: z.nullable(z.string()),
  claim_url: z.nullable(z.string()),
  /** The first block that is read. */
  from_block: z.nullable(z.string()),
  expires_date: z.nullable(Instant),
  published_date: z.nullable(Instant),
  /** When it was withdrawn or closed. */
  ended_date: z.nullable(Instant),
  reason: z.nullable(z.string()),
})
export type Distribution = z.output<typeof Distribution>

export const DistributionRecord = z.object({
  ...Distribution.shape,
  files: z.array(
    z.object({
      name: z.string(),
      /** How many wallets it lists; zero for a file that is not a list. */
      rows: Count,
      amount: DecimalString,
      bytes: Count,
      /** As it was when the distribution was made, in hexadecimal. */
      sha256: z.string(),
    }),
  ),
  /** What the chain shows, in wallets; the amounts in whole units of the token's contract. */
  progress: z.object({
    /** Claimed or sent in full, in any block; and those deep enough to be final. */
    claimed: Count,
    delivered: Count,
    /** Sent less than they are due so far. None once it has ended: the rest is due again. */
    short: Count,
    /**
     * Not arrived in full, though by the newest snapshot their owners have less than they are
     * given, or another wallet. What still goes there is to be stopped.
     */
    outdated: Count,
    /** Not claimed, while too little is left for them since some was taken back. */
    swept: Count,
    arrived_amount: DecimalString,
    swept_amount: DecimalString,
    /**
     * How much too little the contract has left for all who have claimed nothing, since some was
     * taken back. Until it has that, nobody is mailed that they can claim.
     */
    missing_amount: DecimalString,
  }),
  /** Requests to publish, withdraw or close it that are not done yet, oldest first. */
  asked_acts: z.array(AskedAct),
  /** The name of the file that states all this, for comparison. */
  manifest_file: z.string(),
  /**
   * What to enter in the tool besides the file: percentages with 18 decimals (100 % is 10^18),
   * durations in seconds. Null if it does not release over time.
   */
  schedule: z.nullable(
    z.object({
      kind: z.enum(['tranched', 'linear']),
      vesting_start_date: Instant,
      steps: z.array(z.object({ name: z.string(), percentage: z.string(), seconds: Count })),
      /** For a linear one, from the start to its end. */
      total_seconds: z.nullable(Count),
    }),
  ),
})
export type DistributionRecord = z.output<typeof DistributionRecord>

/** What can be handed out now. */
export const DistributionOutlook = z.object({
  /** Null before the first freeze. */
  snapshot: z.nullable(
    z.object({
      number: z.int(),
      taken_date: Instant,
      owners: Count,
      tokens: DecimalString,
      /** Owners without a wallet, who are in no distribution, and their tokens. */
      unassigned: z.object({ owners: Count, tokens: DecimalString }),
      /** What the distributions in effect contain, and what those that have ended handed out. */
      handed_out: DecimalString,
    }),
  ),
  /**
   * What is released to all owners from each month on, counted from the start. Rounded for all
   * together, so that the sum of their own releases can be a few base units less.
   */
  releases: z.array(
    z.object({ months: Count, date: z.nullable(Instant), released: DecimalString }),
  ),
  chain: z.nullable(z.string()),
  chain_id: z.nullable(z.int()),
  /** Null while the sale file does not name the token's contract. */
  token: z.nullable(z.string()),
  token_decimals: z.nullable(Count),
})
export type DistributionOutlook = z.output<typeof DistributionOutlook>

const DistributionId = NumberId('Must be the id of a distribution')
const DistributionParams = z.strictObject({ id: DistributionId })

const URL_FAULT = 'Must be an address that begins with https://'

export const distributionsContract = {
  listDistributions: operatorRead({
    path: '/operator/distributions',
    permission: 'delivery.read',
    summary: 'Lists the distributions, newest first.',
    query: z.strictObject(pageFrom(DistributionId)),
    result: z.object({ data: z.array(Distribution), after: z.nullable(z.string()) }),
  }),
  lookAheadAtDistributions: operatorRead({
    path: '/operator/distributions/outlook',
    permission: 'delivery.read',
    summary: 'Returns what can be handed out now: the newest snapshot and its releases.',
    result: DistributionOutlook,
  }),
  getDistribution: operatorRead({
    path: '/operator/distributions/{id}',
    permission: 'delivery.read',
    summary: 'Returns a distribution, with its root and the hashes of its files.',
    params: DistributionParams,
    result: DistributionRecord,
  }),
  makeDistribution: operatorAct({
    path: '/operator/distributions/create',
    permission: 'delivery.manage',
    summary: 'Makes the files for one tool, with what is due to every owner with a wallet.',
    body: z.strictObject({
      snapshot: z.int().check(z.minimum(1), z.maximum(2_147_483_647)),
      tool: z.enum(distributionTools, { error: 'Must be a tool that hands out tokens' }),
      /**
       * Hands out what is released up to this many months after the start; everything if left out.
       */
      through: z.optional(z.int().check(z.minimum(0), z.maximum(1_200))),
    }),
    status: 201,
    result: DistributionRecord,
    errors: ['DistributionRefused', 'RailUnavailable'],
  }),
  getDistributionFile: operatorRead({
    path: '/operator/distributions/{id}/files/{name}',
    permission: 'delivery.manage',
    summary: 'Returns a file as its tool reads it, byte for byte, or the manifest of all files.',
    params: z.strictObject({
      id: DistributionId,
      name: textLike(/^[\w.-]{1,100}$/, 'Must be the name of a file of it'),
    }),
    file: true,
    errors: ['DistributionClosed', 'Busy'],
  }),
  publishDistribution: operatorAct({
    path: '/operator/distributions/{id}/publish',
    permission: 'delivery.manage',
    summary:
      'Publishes a distribution: names the contract that hands it out, so that buyers see it and ' +
      'it is watched.',
    params: DistributionParams,
    body: z.strictObject({
      /** The contract from which buyers claim, or the wallet that sends to them. */
      contract: textLike(/^0x[0-9a-fA-F]{40}$/, 'Must be an address of 0x and 40 digits'),
      /** Which campaign of the contract, if that has many, as Hedgey's has. */
      campaign: z.optional(
        textLike(
          /^(0x[\da-f]{32}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i,
          'Must be the id of a campaign: a UUID, or 0x and 32 digits',
        ),
      ),
      /**
       * The first block to read: the one in which the contract was made, or an earlier one. What
       * came since the list was made is read in any case.
       */
      from_block: textLike(/^\d{1,15}$/, 'Must be the number of a block'),
      /** Where buyers claim: required for the tools of services that have a page of their own. */
      claim_url: z.optional(
        z
          .url({ protocol: /^https$/, error: URL_FAULT })
          .check(z.maxLength(2_000, { error: 'Must be at most 2,000 characters' })),
      ),
      /** Until when it can be claimed: an instant, or the end of a day. */
      expires_date: z.optional(EndMoment),
      /**
       * Its contract is funded, or its transfers were sent: it is published though its snapshot or
       * wallets are out of date, or its contract has less left than the list.
       */
      is_handed_out: z._default(z.boolean(), false),
    }),
    result: DistributionRecord,
    mayWait: true,
    errors: ['DistributionRefused', 'DistributionClosed', 'RailUnavailable'],
  }),
  withdrawDistribution: operatorAct({
    path: '/operator/distributions/{id}/withdraw',
    permission: 'delivery.manage',
    summary: 'Withdraws a distribution that was not handed out: what it contains is due again.',
    params: DistributionParams,
    body: z.strictObject({ reason: Reason('Say in a few words why it is withdrawn') }),
    result: DistributionRecord,
    mayWait: true,
    errors: ['DistributionRefused', 'DistributionClosed', 'RailUnavailable'],
  }),
  closeDistribution: operatorAct({
    path: '/operator/distributions/{id}/close',
    permission: 'delivery.manage',
    summary: 'Closes a published distribution: what has arrived stays, and the rest is due again.',
    params: DistributionParams,
    body: z.strictObject({
      reason: Reason('Say in a few words why it is closed'),
      /** For a list that a wallet sends: what was not sent will not be sent. */
      sends_nothing_more: z._default(z.boolean(), false),
    }),
    result: DistributionRecord,
    mayWait: true,
    errors: ['DistributionRefused', 'DistributionClosed', 'RailUnavailable'],
  }),
}
