/** The forms that the files of a batch may have; each chain has some of them. */
export const payoutFormats = [
  'safe_csv',
  'safe_transactions',
  'sparrow',
  'electrum',
  'sendmany',
  'psbt',
  'csv',
] as const
export type PayoutFormat = (typeof payoutFormats)[number]
