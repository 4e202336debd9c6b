/** Where a call comes from, as far as the connection tells. */
export type Client = {
  address: string
  userAgent: string
  /** Who acts for the sale, by their own word; null where a call does not say. */
  operatorName: string | null
}
