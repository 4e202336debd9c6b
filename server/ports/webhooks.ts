/** A receiver's reply: only its status, since nothing else in it matters. */
export type WebhookAnswer = { status: number }

export type WebhookSender = {
  /** What is wrong with an address, as a sentence; null if it may be sent to. */
  faultOf(url: string): string | null
  /**
   * Posts a body. Follows no redirect and reads little of the reply. Throws `Unavailable`, whose
   * message is for operators, if the address is refused or no reply comes in time.
   */
  post(call: {
    url: string
    headers: Record<string, string>
    body: string
    /** Breaks the call off. */
    stop: AbortSignal
  }): Promise<WebhookAnswer>
}

/** Secrets and signatures by Standard Webhooks 1.0. */
export type WebhookSigner = {
  /** A new secret: as its receiver gets it (`whsec_…`), and encrypted for the database. */
  makeSecret(endpointId: string): { secret: string; sealed: Uint8Array }
  /**
   * The value of `webhook-signature`: one signature for each of the endpoint's secrets. Throws if a
   * secret was sealed for another endpoint, or with another key of the server.
   */
  sign(given: {
    endpointId: string
    sealed: readonly Uint8Array[]
    /** The value of `webhook-id`. */
    id: string
    /** The value of `webhook-timestamp`: seconds since 1970. */
    timestamp: number
    body: string
  }): string
}
