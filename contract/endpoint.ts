import type { Permission } from '#domain/operators/permissions.ts'
import type { RefusalReason } from '#domain/refusal.ts'
import type * as z from 'zod/mini'

export type Schema = z.core.$ZodType

/**
 * Who may make a call: anyone; anyone, with a different reply for a logged-in user; only logged-in
 * users; or operators: the people who run the sale, in their sessions, and the software that they
 * connect with keys.
 */
export type Access = 'open' | 'optional' | 'user' | 'operator'

type Part = 'params' | 'query' | 'headers' | 'body'

/** One HTTP call: everything that the server, web and documentation need to know about it. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/api/v1`, with `{name}` for each of `params`. */
  path: string
  access: Access
  permission?: Permission
  /**
   * True if a user who has to change their password may still make the call: it changes the
   * password or ends a session. All other calls for users are blocked until then.
   */
  whilePasswordIsDue?: true
  /** One sentence for the documentation. */
  summary: string
  /** The status of a success; 200 if left out, 204 if it replies with nothing. */
  status?: 200 | 201
  /** The body of a success; left out if there is none. */
  result?: Schema
  /** The data of each server-sent event, if the reply is a stream of them. */
  events?: Schema
  /**
   * One row of a success, if the reply is a stream of them: CSV with the field names as its first
   * line, or one JSON array if `Accept` asks for `application/json`.
   */
  rows?: Schema
  /** True if the reply is a file, with its own name and type, sent as it is made. */
  file?: true
  /**
   * True if the reply is the same for everyone who may make the call, and changes only with the
   * market or the clock: it is made once, and has an `ETag`. Its inputs are few.
   */
  sameForAll?: true
  /**
   * True if the call may have to wait for a second person. It is then answered with status 202 and
   * `WaitsForApproval`, and made once that person has approved.
   */
  mayWait?: true
  /** Whether a success starts an operator's session, in its own cookie, or ends it. */
  session?: 'starts' | 'ends'
  /** The largest body, if that is more than for other calls. */
  bodyBytesMax?: number
  /** True if the body is passed on as received, since a signature covers its bytes. */
  bytes?: true
  /** The refusals of this call besides those that any call may get, if it has any. */
  errors?: readonly RefusalReason[]
} & { [part in Part]?: Schema }

/** A call as its caller writes it. */
export type InputOf<E extends Endpoint> = {
  [part in Exclude<Part, 'headers'> as E[part] extends Schema ? part : never]: z.input<
    NonNullable<E[part]>
  >
} & HeadersOf<E['headers']>

/** Headers of which none is required can be left out altogether. */
type HeadersOf<Headers> = Headers extends Schema
  ? Partial<z.input<Headers>> extends z.input<Headers>
    ? { headers?: z.input<Headers> }
    : { headers: z.input<Headers> }
  : unknown

/** A call as its handler reads it: parsed, with defaults, amounts as integers. */
export type ParsedInputOf<E extends Endpoint> = {
  [part in Part as E[part] extends Schema ? part : never]: z.output<NonNullable<E[part]>>
} & (E['bytes'] extends true ? { bytes: Uint8Array } : unknown)

export type ResultOf<E extends Endpoint> = E['result'] extends Schema
  ? z.output<E['result']>
  : undefined

export type EventOf<E extends Endpoint> = E['events'] extends Schema ? z.output<E['events']> : never

export type RowOf<E extends Endpoint> = E['rows'] extends Schema ? z.output<E['rows']> : never

/** Declares a call for anyone but operators, and keeps its exact type. */
export function endpoint<
  const E extends Endpoint & { access: Exclude<Access, 'operator'>; permission?: never },
>(declared: E): E {
  return declared
}

/** Declares a call for operators, which always names the permission that it requires. */
export function operatorEndpoint<
  const E extends Omit<Endpoint, 'access'> & { permission: Permission },
>(declared: E): E & { access: 'operator' } {
  return { ...declared, access: 'operator' }
}

export const API_BASE = '/api/v1'

/**
 * The header of replies to users and operators with the time, in UTC, by the clock that decides
 * when the time to pay is over. The `date` of a reply is from a machine or a proxy, whose clock may
 * be wrong.
 */
export const SERVER_TIME = 'server-time'
