import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Instant } from './shapes.ts'

/** How the sale and its guard stand. */
export const SaleState = z.object({
  status: z.enum(['NOT_STARTED', 'ACTIVE', 'PAUSED', 'ENDED']),
  /** The stage that is on sale, or would be if the sale were not paused. */
  stage: z.nullable(z.string()),
  /** When the sale or its next stage starts, while it has not. */
  starts_date: z.nullable(Instant),
  pause: z.nullable(z.object({ reason: z.nullable(z.string()), since: z.nullable(Instant) })),
  /** The last check that the books agree; null before the first one. */
  check: z.nullable(
    z.object({
      checked_date: Instant,
      duration_ms: z.int(),
      /** What does not agree. `is_accepted`: the sale was resumed in spite of it. */
      breaches: z.array(
        z.object({ check: z.string(), fault: z.string(), is_accepted: z.boolean() }),
      ),
      not_run: z.array(z.object({ check: z.string(), fault: z.string() })),
    }),
  ),
})
export type SaleState = z.output<typeof SaleState>

/**
 * What an operator does while the sale runs. `npm run operator` makes its commands from these: the
 * path below `/operator` is the command, the path's parameters stand after it in their order, and
 * each field of the body or the query is an option of its name.
 */
export const operatorContract = {
  getSaleState: endpoint({
    method: 'GET',
    path: '/operator/status',
    access: 'operator',
    summary: 'How the sale stands, why it is paused, and what the last check of the books found.',
    result: SaleState,
    errors: [],
  }),
  pauseSale: endpoint({
    method: 'POST',
    path: '/operator/pause',
    access: 'operator',
    summary: 'Pauses the sale: nothing new is sold, and what was bought is still settled.',
    body: z.strictObject({
      /** For whoever looks at the paused sale; buyers do not see it. */
      reason: z
        .string({ error: 'Say in a few words why the sale is paused' })
        .check(
          z.trim(),
          z.minLength(1, { error: 'Say in a few words why the sale is paused' }),
          z.maxLength(500, { error: 'Must be at most 500 characters' }),
        ),
    }),
    result: SaleState,
    errors: [],
  }),
  resumeSale: endpoint({
    method: 'POST',
    path: '/operator/resume',
    access: 'operator',
    summary: 'Checks the books and lets a paused sale go on where they agree, or by force.',
    body: z.strictObject({
      /** Goes on in spite of what is broken now; the same does not pause the sale again. */
      force: z._default(z.boolean({ error: 'Must be true or false' }), false),
    }),
    result: SaleState,
    errors: ['BooksDisagree'],
  }),
}
