import * as z from 'zod/mini'

import { permissions, roleNames } from '#domain/operators/permissions.ts'
import { operatorEndpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/shapes.ts'
import { Instant } from '#contract/values.ts'

/** Who is signed in at the console. */
export const OperatorSelf = z.object({
  id: Id,
  email: z.string(),
  name: z.string(),
  role: z.enum(roleNames),
  permissions: z.array(z.enum(permissions)),
  /** True if nobody else was ever an operator, so that this one does what takes two people. */
  is_alone: z.boolean(),
  /** When the session ends, however much it is used. */
  session_expires_date: Instant,
})
export type OperatorSelf = z.output<typeof OperatorSelf>

/** Who the calling operator is, and signing out. */
export const identityContract = {
  getSelf: operatorEndpoint({
    method: 'GET',
    path: '/operator/self',
    permission: 'own.account',
    summary: 'Returns who is signed in, and what they may do.',
    result: OperatorSelf,
  }),
  signOut: operatorEndpoint({
    method: 'POST',
    path: '/operator/sign-out',
    permission: 'own.account',
    summary: 'Ends the caller’s session.',
    session: 'ends',
  }),
}
