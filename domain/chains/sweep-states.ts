/**
 * `kept`: nothing was sent, since no second person has approved it. `open`: the server sends it,
 * one transaction after the other. `closed`: each of its transactions has ended.
 */
export const sweepStates = ['kept', 'open', 'closed'] as const
export type SweepState = (typeof sweepStates)[number]

/**
 * `waiting` to be sent, `sent` to the chain's nodes, `confirmed` in a deep block. `failed`:
 * reverted, replaced or refused; its fault says what to do. `stopped` by an operator before it was
 * sent.
 */
export const sweepTransactionStates = ['waiting', 'sent', 'confirmed', 'failed', 'stopped'] as const
export type SweepTransactionState = (typeof sweepTransactionStates)[number]
