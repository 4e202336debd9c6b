/** What hands the tokens out; each reads a file of its own. */
export const distributionTools = [
  'sablier_instant',
  'sablier_linear',
  'sablier_tranched',
  'safe_airdrop',
  'safe_transactions',
  'openzeppelin',
  'uniswap',
  'hedgey',
  'streamflow',
  'plain',
] as const
export type DistributionTool = (typeof distributionTools)[number]

/**
 * `made`: its files can be had. `published`: its contract is named, and what happens there is read.
 * `closed`: it has ended, with what nobody claimed swept. `withdrawn`: it was never handed out.
 */
export const distributionStates = ['made', 'published', 'closed', 'withdrawn'] as const
export type DistributionState = (typeof distributionStates)[number]

/**
 * What a contract or a wallet did: paid a row that was claimed, sent to one, gave the rest back, or
 * paid somebody in a way that cannot be read, so that nobody knows whose row it was.
 */
export const distributionEventKinds = ['claimed', 'sent', 'swept', 'unknown'] as const
export type DistributionEventKind = (typeof distributionEventKinds)[number]

/**
 * What has become of a buyer's part: no wallet; a wallet, but nothing is published; to be claimed
 * or being sent; seen on the chain, not deep enough; arrived for good; taken back by the sender.
 */
export const deliveryStates = [
  'unassigned',
  'assigned',
  'published',
  'claimed',
  'delivered',
  'swept',
] as const
export type DeliveryState = (typeof deliveryStates)[number]
