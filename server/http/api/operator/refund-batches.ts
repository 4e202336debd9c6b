import { refundBatchesContract } from '#contract/operator/refund-batches.ts'
import { orNull, rowToWire } from '#contract/codec.ts'
import { camelKeys } from '#domain/key-case.ts'
import { implement } from '#server/http/routing/implement.ts'
import { getBatch, listBatches } from '#server/use-cases/refunds/batch-view.ts'
import { cancelBatch } from '#server/use-cases/refunds/cancel-batch.ts'
import { makeBatch } from '#server/use-cases/refunds/make-batch.ts'
import { makeBatchFile } from '#server/use-cases/refunds/make-batch-file.ts'
import { nameBatchHash } from '#server/use-cases/refunds/name-batch-hash.ts'
import { emailsFor } from './emails-for.ts'
import { presentBatch, presentBatchRecord } from './present-claims.ts'

export const refundBatchesRoutes = implement(refundBatchesContract, {
  listRefundBatches: async (services, { query }) => {
    const page = await listBatches(services, query)
    return { data: page.items.map(presentBatch), after: orNull(page.after, String) }
  },
  getRefundBatch: async (services, { params }, operator) =>
    presentBatchRecord(await getBatch(services, params.id), emailsFor(operator)),
  makeRefundBatch: async (services, { body }, operator) => {
    const { paymentTokenId = null, claimIds = null, ...place } = camelKeys(body)
    const wanted = { ...place, paymentTokenId, claimIds }
    const { batch, leftOut } = await makeBatch(services, wanted, operator)
    return { batch: presentBatchRecord(batch, emailsFor(operator)), left_out: [...leftOut] }
  },
  getRefundBatchFile: async (services, { params }) =>
    rowToWire(await makeBatchFile(services, params.id, params.format)),
  nameRefundBatchHash: async (services, { params, body }, operator) => {
    const named = { id: params.id, hash: body.hash }
    return presentBatchRecord(await nameBatchHash(services, named, operator), emailsFor(operator))
  },
  cancelRefundBatch: async (services, { params, body }, operator) => {
    const cancelled = { id: params.id, reason: body.reason }
    return presentBatchRecord(await cancelBatch(services, cancelled, operator), emailsFor(operator))
  },
})
