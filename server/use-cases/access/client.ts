/** Where a call comes from, by its connection and headers. */
export type Client = {
  address: string
  userAgent: string
}
