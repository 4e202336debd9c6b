import * as z from 'zod/mini'

import type { Endpoint, Schema } from '#contract/endpoint.ts'
import { aRegistration } from './a-user.ts'

/** The fields of a part of a call, with their schemas, even if the part is optional. */
export function fieldsOf(schema: Schema | undefined): Record<string, Schema> {
  if (schema instanceof z.ZodMiniOptional) return fieldsOf(schema.def.innerType)
  return schema instanceof z.ZodMiniObject ? schema.shape : {}
}

/**
 * Valid values for the fields of a call's body, so that a test of one field is not stopped by
 * another. They are nobody's password, code or token.
 */
export function plausibleBody(
  endpoint: Endpoint,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  const values: Record<string, unknown> = {
    ...aRegistration(),
    password: 'not-the-passw0rd',
    current_password: 'not-the-passw0rd',
    code: '123456',
    refresh_token: 'nobodys-token',
    purchase_amount: 100,
    purchase_token_id: 'eth',
    payment_token_id: 'eth',
    chain: 'sandbox',
    rail: 'sandbox',
    fee: '0',
    bonuses: {},
    token_price: 0.0001,
    address: 'nobodys-address',
    amount: '1',
    count: 1,
    depth: 1,
    reason: 'A test',
    text: 'project: {}',
    hash: 'nobodys-hash',
    applied_id: '1',
    force: false,
    ...changes,
  }
  const names = Object.keys(fieldsOf(endpoint.body))
  return Object.fromEntries(
    names.filter((name) => name in values).map((name) => [name, values[name]]),
  )
}
