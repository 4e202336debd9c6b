import * as z from 'zod/mini'

/** The values in a node's answers, as Ethereum's JSON-RPC writes them (EIP-1474). */

export const quantity = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/)),
  z.transform((text) => BigInt(text)),
)

export const hash = z.string().check(z.regex(/^0x[0-9a-f]{64}$/))

export const bytes = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/))

/** Addresses are compared in lower case. */
export const address = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
  z.transform((text) => text.toLowerCase()),
)
