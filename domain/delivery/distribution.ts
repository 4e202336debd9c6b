/** The tools that hand tokens out; each reads its own kind of file. */
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
 * `made`: its files can be downloaded. `published`: its contract is known, and events there are
 * read. `closed`: it has ended, and what nobody claimed was swept. `withdrawn`: it was never handed
 * out.
 */
export const distributionStates = ['made', 'published', 'closed', 'withdrawn'] as const
export type DistributionState = (typeof distributionStates)[number]

/**
 * What a contract or a wallet did: paid a claimed row, sent to a row, gave the rest back, paid
 * somebody in an unreadable way, so that nobody knows for which row, or sent a row's amount once
 * more than any list says.
 */
export type DistributionEventKind = 'claimed' | 'sent' | 'swept' | 'unknown' | 'repeated'

/**
 * What has become of a buyer's part: no wallet; a wallet, but nothing is published; to be claimed
 * or being sent; seen on the chain, but not deep enough; arrived for good; taken back by the
 * sender.
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
