/** Where a call comes from, by its connection and headers. */
export type Client = {
  address: string
  userAgent: string
  /** The operator's name as the call states it, unproved; null where it states none. */
  operatorName: string | null
}
