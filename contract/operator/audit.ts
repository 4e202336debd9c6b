import * as z from 'zod/mini'

import { endpoint, operatorEndpoint } from '#contract/endpoint.ts'
import { Instant, textLike } from '#contract/values.ts'

/** Where the audit log ends: the number and the hash of its newest row. */
export const AuditHead = z.object({
  number: z.int(),
  /** In hexadecimal. It covers that row and all before it. */
  hash: z.string(),
  date: Instant,
})
export type AuditHead = z.output<typeof AuditHead>

export const LogCheck = z.object({
  /** How many rows, from the first one on, are unchanged. */
  verified: z.int(),
  head: z.nullable(AuditHead),
  /** The first row where something is wrong; null if nothing is. */
  fault: z.nullable(
    z.object({
      kind: z.enum(['changed', 'left_out', 'put_in', 'cut_off', 'head_changed']),
      number: z.int(),
      message: z.string(),
      /** What the row says now; null if it is gone. */
      row: z.nullable(z.object({ operator: z.nullable(z.string()), act: z.string() })),
    }),
  ),
})
export type LogCheck = z.output<typeof LogCheck>

/** The log of what operators do, which reveals tampering. */
export const auditContract = {
  getAuditHead: endpoint({
    method: 'GET',
    path: '/audit/head',
    access: 'open',
    summary:
      'Returns where the operators’ log ends, for anyone to keep: whoever has it can tell if ' +
      'rows go missing. Null before the first act.',
    result: z.object({ head: z.nullable(AuditHead) }),
  }),
  verifyLog: operatorEndpoint({
    method: 'POST',
    path: '/operator/audit/verify',
    permission: 'audit.read',
    summary:
      'Finds the first row of the log that was changed, left out, put in or cut off since it was ' +
      'written.',
    body: z.strictObject({
      /**
       * A hash that was kept elsewhere: either it is in the log, or the log has been cut off since.
       */
      head: z.optional(
        textLike(
          /^[0-9a-f]{64}$/,
          'Give a hash of 64 hexadecimal digits, as it was shown or mailed',
        ),
      ),
    }),
    result: LogCheck,
  }),
}
