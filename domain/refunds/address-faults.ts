/**
 * Why money cannot be sent to an address. `form`: it is none, or a character of it is wrong.
 * `network`: it is one of another coin or network. `secret`: a key or a hash, which nobody should
 * be shown. `name`: a name or a link, which may lead elsewhere tomorrow. `nobody`: nobody has its
 * key. `contract`: a token's contract. `own`: one of the sale's.
 */
export const addressFaults = [
  'form',
  'network',
  'secret',
  'name',
  'nobody',
  'contract',
  'own',
] as const
export type AddressFault = (typeof addressFaults)[number]

/** An address that nothing is sent to: why, for pages, and as a sentence for everybody else. */
export type RefusedAddress = { why: AddressFault; fault: string }

export const OWN_ADDRESS: RefusedAddress = {
  why: 'own',
  fault: 'This address is one of this sale, and not of a wallet of yours',
}
