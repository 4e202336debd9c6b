import { sandboxContract } from '#contract/sandbox.ts'
import { listMails } from '#server/use-cases/sandbox/list-mails.ts'
import {
  mineSandbox,
  paySandbox,
  reorganiseSandbox,
} from '#server/use-cases/sandbox/sandbox-chain.ts'
import { implement } from '#server/http/routing/implement.ts'
import { rowToWire } from '#contract/codec.ts'

export const sandboxRoutes = implement(sandboxContract, {
  pay: async (services, { body }) => ({ receipt_id: await paySandbox(services, body) }),
  mineBlocks: async (services, { body }) => ({
    height: Number(await mineSandbox(services, body.count)),
  }),
  reorganise: async (services, { body }) => ({
    height: Number(await reorganiseSandbox(services, body.depth)),
  }),
  listMails: async (services, { query }) => {
    const mails = await listMails(services, query.to ?? null)
    return mails.map((mail) => ({ ...rowToWire(mail), to: mail.recipient }))
  },
})
