/**
 * Why money cannot be sent to an address. `form`: it is invalid, or one of its characters is wrong.
 * `network`: it belongs to another coin or network. `secret`: it is a key or a hash, which nobody
 * should be shown. `name`: it is a name or a link, which may lead elsewhere tomorrow. `nobody`:
 * nobody has its key. `contract`: it is a token's contract. `own`: it is one of the sale's.
 * `sandbox`: it is none of the simulated chain.
 */
export const addressFaults = [
  'form',
  'network',
  'secret',
  'name',
  'nobody',
  'contract',
  'own',
  'sandbox',
] as const
export type AddressFault = (typeof addressFaults)[number]

/**
 * An address to which nothing is sent: the reason, for pages, and a sentence for everybody else.
 */
export type RefusedAddress = { why: AddressFault; fault: string }

export const OWN_ADDRESS: RefusedAddress = {
  why: 'own',
  fault: 'This address belongs to this sale, not to a wallet of yours',
}
