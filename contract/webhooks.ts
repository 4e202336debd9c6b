import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Calls that payment gateways make. */
export const webhooksContract = {
  receive: endpoint({
    method: 'POST',
    path: '/webhooks/{gateway}',
    access: 'open',
    summary: 'Takes a signed call from a payment gateway as a prompt to query that gateway.',
    params: z.strictObject({ gateway: z.string() }),
    headers: z.object({
      'x-nowpayments-sig': z.optional(z.string()),
      'btcpay-sig': z.optional(z.string()),
    }),
    bytes: true,
    result: z.object({
      outcome: z.enum(['accepted', 'repeated', 'unknown']),
      /** One sentence for whoever reads the gateway's log. */
      message: z.string(),
    }),
    errors: ['Unauthenticated'],
  }),
}
