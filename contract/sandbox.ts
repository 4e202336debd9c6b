import * as z from 'zod/mini'
import { DecimalString, Instant, textLike } from './values.ts'
import { endpoint } from './endpoint.ts'
import { GivenEmail } from './shapes.ts'

const Height = z.object({ height: z.int() })
const BlockCount = z
  .int({ error: 'Must be a whole number' })
  .check(
    z.minimum(1, { error: 'Must be at least 1' }),
    z.maximum(100, { error: 'Must be at most 100' }),
  )

/** The simulated chain and mailbox. Every call returns 404 unless the server runs as a sandbox. */
export const sandboxContract = {
  pay: endpoint({
    method: 'POST',
    path: '/sandbox/payments',
    access: 'open',
    summary: 'Pays an address on the simulated chain.',
    body: z.strictObject({
      address: textLike(
        /^\S{1,200}$/,
        'Must be an address of at most 200 characters',
        'Must be an address',
      ),
      amount: DecimalString.check(z.maxLength(60, { error: 'Must be at most 60 characters' })),
    }),
    status: 201,
    result: z.object({ receipt_id: z.string() }),
  }),
  mineBlocks: endpoint({
    method: 'POST',
    path: '/sandbox/blocks',
    access: 'open',
    summary: 'Adds blocks to the simulated chain.',
    body: z.strictObject({ count: BlockCount }),
    result: Height,
  }),
  reorganise: endpoint({
    method: 'POST',
    path: '/sandbox/reorgs',
    access: 'open',
    summary: 'Drops the last blocks; the receipts in them are gone.',
    body: z.strictObject({ depth: BlockCount }),
    result: Height,
  }),
  listMails: endpoint({
    method: 'GET',
    path: '/sandbox/mails',
    access: 'open',
    summary: 'Lists the mails that were sent, newest first.',
    query: z.strictObject({ to: z.optional(GivenEmail) }),
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
  }),
}
