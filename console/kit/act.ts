import * as z from 'zod/mini'
import type { Endpoint, InputOf, ResultOf } from '#contract/endpoint.ts'
import { type Approval, WaitsForApproval } from '#contract/operator/approvals.ts'
import { call, messageOf, resultOf, send } from '#web/lib/api/call.ts'

const ACCEPTED = 202

/** What became of an act: its result, or the approval for which it waits. */
export type Acted<E extends Endpoint> =
  | { waits: null; result: ResultOf<E> }
  | { waits: Approval; result: null }

/** What to say if an act fails: without an answer nobody knows whether it was done. */
export const actFault = (error: unknown): string =>
  messageOf(error, 'The server does not answer. Check whether it was done before you try again.')

/** Makes a call that may have to wait for a second person. Rejects with a `CallError`. */
export async function act<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<Acted<E>> {
  if (endpoint.mayWait !== true) return { waits: null, result: await call(endpoint, input) }
  const response = await send(endpoint, input)
  if (response.status !== ACCEPTED) {
    return { waits: null, result: await resultOf(endpoint, response) }
  }
  return { waits: z.parse(WaitsForApproval, await response.json()).approval, result: null }
}
