import * as z from 'zod/mini'

import { roleNames } from '#domain/operators/permissions.ts'
import { Instant } from '#contract/values.ts'
import { Email, Id } from '#contract/shapes.ts'
import { ItemParams, operatorAct, operatorRead } from './shapes.ts'

const RoleOf = z.enum(roleNames, { error: `Must be one of ${roleNames.join(', ')}` })

/** An operator, as the others see them. */
export const ListedOperator = z.object({
  id: Id,
  email: z.string(),
  name: z.string(),
  role: RoleOf,
  passkeys: z.int(),
  has_authenticator: z.boolean(),
  created_date: Instant,
  last_seen_date: z.nullable(Instant),
})
export type ListedOperator = z.output<typeof ListedOperator>

/** An unused link that lets somebody in. */
export const Invitation = z.object({
  id: Id,
  email: z.string(),
  role: RoleOf,
  /** Whether it is for somebody whose factors were reset. */
  is_reset: z.boolean(),
  invited_by: z.nullable(z.string()),
  created_date: Instant,
  expires_date: Instant,
})
export type Invitation = z.output<typeof Invitation>

/** The link itself, which is shown only this once. */
export const InvitationLink = z.object({
  id: Id,
  email: z.string(),
  role: RoleOf,
  /** For a browser: whoever opens it first sets the password and the second factor. */
  link: z.string(),
  /** Whether it is mailed: a sandbox without a mail server mails operators nothing. */
  is_mailed: z.boolean(),
  expires_date: Instant,
})
export type InvitationLink = z.output<typeof InvitationLink>

/** The same for somebody who has an account: nobody else may sign in under their name. */
export const ResetLink = z.object({
  ...InvitationLink.shape,
  /** Shown only to the server's token; null for a person, even if it is mailed to nobody. */
  link: z.nullable(z.string()),
})

/** Who runs the sale, and who lets them in. */
export const teamContract = {
  listOperators: operatorRead({
    path: '/operator/operators',
    permission: 'operators.read',
    summary: 'Lists everyone who runs the sale, with their roles and second factors.',
    result: z.object({ data: z.array(ListedOperator) }),
  }),
  listInvitations: operatorRead({
    path: '/operator/invitations',
    permission: 'operators.read',
    summary: 'Lists invitations that were neither used nor withdrawn.',
    result: z.object({ data: z.array(Invitation) }),
  }),
  inviteOperator: operatorAct({
    path: '/operator/invite',
    permission: 'operators.manage',
    summary: 'Invites somebody with a link that works once, for 24 hours; it is also mailed.',
    body: z.strictObject({ email: Email, role: RoleOf }),
    result: InvitationLink,
    errors: ['EmailTaken'],
  }),
  withdrawInvitation: operatorAct({
    path: '/operator/invitations/{id}/withdraw',
    permission: 'operators.manage',
    summary: 'Withdraws an invitation: its link no longer works.',
    params: ItemParams,
    result: z.object({ data: z.array(Invitation) }),
  }),
  changeRole: operatorAct({
    path: '/operator/operators/{id}/role',
    permission: 'operators.manage',
    summary: 'Gives somebody another role, at once. Nobody can change their own.',
    params: ItemParams,
    body: z.strictObject({ role: RoleOf }),
    result: z.object({ data: z.array(ListedOperator) }),
    errors: ['OwnAccount', 'LastOwner'],
  }),
  removeOperator: operatorAct({
    path: '/operator/operators/{id}/remove',
    permission: 'operators.manage',
    summary: 'Removes an operator: their sessions and factors end. What they did keeps their name.',
    params: ItemParams,
    result: z.object({ data: z.array(ListedOperator) }),
    errors: ['OwnAccount', 'LastOwner'],
  }),
  resetFactors: operatorAct({
    path: '/operator/operators/{id}/reset',
    permission: 'operators.manage',
    summary:
      'Ends the sessions and factors of an operator who lost their factors, and the keys and ' +
      'invitations that they made, and mails them a link to set up new factors.',
    params: ItemParams,
    result: ResetLink,
    errors: ['OwnAccount'],
  }),
}
