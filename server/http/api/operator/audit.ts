import { instantToWire, orNull } from '#contract/codec.ts'
import { type AuditHead as WireHead, auditContract } from '#contract/operator/audit.ts'
import { implement } from '#server/http/routing/implement.ts'
import { getAuditHead, type LogCheck, verifyLog } from '#server/use-cases/audit/verify-log.ts'

export const auditRoutes = implement(auditContract, {
  getAuditHead: async (services) => ({ head: orNull(await getAuditHead(services), presentHead) }),
  verifyLog: async (services, { body }, operator) => {
    const { verified, head, fault } = await verifyLog(services, body.head, operator)
    return {
      verified: Number(verified),
      head: orNull(head, presentHead),
      fault: orNull(fault, ({ kind, number, message, row }) => ({
        kind,
        number: Number(number),
        message,
        row: orNull(row, ({ operator: name, act }) => ({ operator: name, act })),
      })),
    }
  },
})

function presentHead({ number, hash, at }: NonNullable<LogCheck['head']>): WireHead {
  return {
    number: Number(number),
    hash: Buffer.from(hash).toString('hex'),
    date: instantToWire(at),
  }
}
