import { API_BASE } from '#contract/endpoint.ts'
import { type DistributionRecord, distributionsContract } from '#contract/operator/distributions.ts'
import type { DistributionTool } from '#domain/delivery/distribution.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import type { CallOptions } from '#tests/kit/servers/client.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

type Wanted = { snapshot?: number; tool: DistributionTool; through?: number }

/** The reply to making a distribution, whatever it is. */
export function tryToMake(
  { client }: Pick<TestApp, 'client'>,
  { snapshot = 1, ...wanted }: Wanted,
  as: CallOptions = operator,
) {
  const input = { headers: named, body: { snapshot, ...wanted } }
  return client.call(distributionsContract.makeDistribution, input, as)
}

export async function aDistribution(
  app: Pick<TestApp, 'client'>,
  wanted: Wanted,
): Promise<DistributionRecord> {
  return (await tryToMake(app, wanted)).body
}

/** A file of a distribution as it is downloaded, with its reply. */
export async function download({ app }: Pick<TestApp, 'app'>, id: string, name: string) {
  const reply = await app.inject({
    method: 'GET',
    url: `${API_BASE}/operator/distributions/${id}/files/${name}`,
    headers: { authorization: `Bearer ${operator.accessToken}` },
  })
  return { status: reply.statusCode, headers: reply.headers, text: reply.body }
}

export function withdraw(
  { client }: Pick<TestApp, 'client'>,
  id: string,
  as: CallOptions = operator,
) {
  const input = { params: { id }, headers: named, body: { reason: 'The wrong tool' } }
  return client.call(distributionsContract.withdrawDistribution, input, as)
}

export function close(
  { client }: Pick<TestApp, 'client'>,
  id: string,
  { sendsNothingMore = false } = {},
  as: CallOptions = operator,
) {
  const body = { reason: 'Nothing more comes of it', sends_nothing_more: sendsNothingMore }
  const input = { params: { id }, headers: named, body }
  return client.call(distributionsContract.closeDistribution, input, as)
}

export function publish(
  { client }: Pick<TestApp, 'client'>,
  id: string,
  body: {
    contract: string
    campaign?: string
    from_block?: string
    claim_url?: string
    expires_date?: string
    is_handed_out?: boolean
  },
  as: CallOptions = operator,
) {
  const input = { params: { id }, headers: named, body: { from_block: '1', ...body } }
  return client.call(distributionsContract.publishDistribution, input, as)
}
