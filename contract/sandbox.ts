import * as z from 'zod/mini'
import { DecimalString } from './amounts.ts'
import { endpoint } from './endpoint.ts'
import { Instant } from './shapes.ts'

const Height = z.object({ height: z.int() })
const BlockCount = z.int().check(z.minimum(1), z.maximum(100))

/** The simulated chain and mailbox. Every call is a 404 unless the server runs as a sandbox. */
export const sandboxContract = {
  pay: endpoint({
    method: 'POST',
    path: '/sandbox/payments',
    access: 'open',
    summary: 'Pays an address on the simulated chain.',
    body: z.strictObject({
      address: z.string().check(z.minLength(1), z.maxLength(200)),
      amount: DecimalString.check(z.maxLength(60)),
    }),
    status: 201,
    result: z.object({ receipt_id: z.string() }),
    errors: [],
  }),
  mineBlocks: endpoint({
    method: 'POST',
    path: '/sandbox/blocks',
    access: 'open',
    summary: 'Adds blocks to the simulated chain.',
    body: z.strictObject({ count: BlockCount }),
    result: Height,
    errors: [],
  }),
  reorganise: endpoint({
    method: 'POST',
    path: '/sandbox/reorgs',
    access: 'open',
    summary: 'Drops the last blocks; the receipts in them are gone.',
    body: z.strictObject({ depth: BlockCount }),
    result: Height,
    errors: [],
  }),
  listMails: endpoint({
    method: 'GET',
    path: '/sandbox/mails',
    access: 'open',
    summary: 'The mails that were sent, newest first.',
    query: z.strictObject({ to: z.optional(z.string().check(z.maxLength(254))) }),
    result: z.array(
      z.object({
        id: z.string(),
        to: z.string(),
        subject: z.string(),
        text: z.string(),
        html: z.string(),
        sent_date: Instant,
      }),
    ),
    errors: [],
  }),
}
