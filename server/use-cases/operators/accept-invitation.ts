import { approvesMore, roles } from '#domain/operators/permissions.ts'
import { connectionOf } from '#domain/accounts/network.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import {
  confirmTwoFactorRow,
  putUnconfirmedTwoFactor,
} from '#server/database/accounts/two-factor.ts'
import { deleteFactors } from '#server/database/operators/factors.ts'
import {
  acceptInvitation as closeInvitation,
  findInvitation,
  type InvitationRow,
  keepInvitationSecret,
} from '#server/database/operators/invitations.ts'
import { endOperatorSessions } from '#server/database/operators/operator-sessions.ts'
import {
  findOperatorById,
  insertOperator,
  lockOperator,
  type OperatorRow,
  updateOperator,
} from '#server/database/operators/operators.ts'
import { insertPasskey } from '#server/database/operators/passkeys.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Client, PasskeyAnswer, PasskeyOptions } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { hashToken } from '#server/use-cases/access/session-tokens.ts'
import { renewCodes, stepOfCode } from '#server/use-cases/access/two-factor.ts'
import { mailOwnersOfAccess } from '#server/use-cases/audit/mail-owners.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { noteSecurityEvent } from './note-security-event.ts'
import { makeChallenge, takingChallenge } from './passkey-challenges.ts'
import { type StartedOperatorSession, startOperatorSession } from './start-operator-session.ts'

/** Whom a link is for, with the name of a person whose factors were reset. */
export async function openInvitation(services: Services, token: string, client: Client) {
  const invitation = await requireInvitation(services, token, client)
  const known = await findOperatorById(services.database, invitation.operator_id)
  const { email, role, expires_at: expiresAt } = invitation
  return { email, role: known?.role ?? role, name: known?.name ?? null, expiresAt }
}

/** What a browser makes the first passkey from. */
export async function getInvitedPasskeyCreation(
  services: Services,
  token: string,
  client: Client,
): Promise<PasskeyOptions['creation']> {
  const { id, operator_id, email } = await requireInvitation(services, token, client)
  const challenge = await makeChallenge(services, { purpose: 'accept', boundTo: id })
  const operator = { id: operator_id, email, name: email }
  return services.passkeys.creation({ challenge, operator, known: [] })
}

/** Makes a secret for an app, replacing an earlier one. */
export async function startInvitedAuthenticator(
  services: Services,
  token: string,
  client: Client,
): Promise<{ secret: string; uri: string }> {
  const { id, operator_id: userId, email } = await requireInvitation(services, token, client)
  const issuer = `${services.sale.project.name} console`
  const made = services.authenticator.makeSecret({ userId, email, issuer })
  await keepInvitationSecret(services.database, id, made.sealed)
  return { secret: made.secret, uri: made.uri }
}

/** A passkey with its name, or a code from the app whose secret was made before. */
export type FirstFactor = {
  passkey?: PasskeyAnswer | undefined
  passkeyName?: string | undefined
  code?: string | undefined
}

/**
 * Creates an operator's account complete with a name, a password, a second factor and recovery
 * codes, so that no operator is ever without them. A person whose factors were reset gets new ones
 * in the same way. Refuses with `LinkInvalid`, `PasskeyRefused`, `WrongCode`, `EmailTaken`, `Busy`;
 * then the link stays valid.
 */
export async function acceptInvitation(
  services: Services,
  input: { token: string; name: string; password: string } & FirstFactor,
  client: Client,
): Promise<{ session: StartedOperatorSession; recoveryCodes: string[] }> {
  const { clock, database, passwords } = services
  const invitation = await requireInvitation(services, input.token, client)
  const factor = await proveFactor(services, invitation, input, client)
  const passwordHash = await passwords.hash(input.password, client)
  const { operator_id: id } = invitation
  const now = clock.now()
  return await database.transaction().execute(async (transaction) => {
    if (!(await closeInvitation(transaction, invitation.id, now))) throw new Refusal('LinkInvalid')
    const { name } = input
    const isNew = (await findOperatorById(transaction, id)) === null
    const operator = await putOperator(transaction, invitation, { name, passwordHash, now })
    await factor.keep(transaction)
    const recoveryCodes = await renewCodes(services, transaction, id)
    const session = await startOperatorSession(
      services,
      transaction,
      { operator, kind: 'accepted', by: factor.words },
      client,
    )
    const { role } = operator
    const { address } = client
    await recordAction(
      services,
      transaction,
      { kind: 'person', id, name, role, sessionId: session.id, permissions: roles[role], address },
      { act: 'acceptInvitation', details: { invitation: invitation.id, role } },
    )
    if (isNew && approvesMore(role, null)) {
      const { email } = operator
      await mailOwnersOfAccess(services, transaction, { to: role, id, name, email })
    }
    return { session, recoveryCodes }
  })
}

async function putOperator(
  transaction: DatabaseTransaction,
  { operator_id: id, email, role }: InvitationRow,
  { name, passwordHash, now }: { name: string; passwordHash: string; now: Date },
): Promise<Pick<OperatorRow, 'id' | 'email' | 'role'>> {
  const known = await lockOperator(transaction, id)
  if (known !== null) {
    await updateOperator(transaction, id, { name, password_hash: passwordHash })
    await deleteFactors(transaction, id)
    await endOperatorSessions(transaction, id, now)
    return known
  }
  const operator = { id, email, name, role, password_hash: passwordHash, created_at: now }
  if (!(await insertOperator(transaction, operator))) throw new Refusal('EmailTaken')
  return operator
}

type ProvedFactor = {
  /** As it appears in the history. */
  words: string
  keep: (transaction: DatabaseTransaction) => Promise<void>
}

async function proveFactor(
  services: Services,
  invitation: InvitationRow,
  { passkey, passkeyName, code }: FirstFactor,
  client: Client,
): Promise<ProvedFactor> {
  if (passkey !== undefined) {
    const use = { purpose: 'accept', boundTo: invitation.id } as const
    const stored = await services.passkeys.verifyNew(passkey, takingChallenge(services, use))
    if (stored === null) return await refusePasskey(services, invitation, client)
    const { operator_id } = invitation
    const name = passkeyName ?? 'Passkey'
    return {
      words: `a passkey, “${name}”`,
      keep: async (transaction) => {
        const made = { id: services.random.id(), created_at: services.clock.now() }
        const owned = { ...made, operator_id, name }
        if (!(await insertPasskey(transaction, stored, owned))) throw new Refusal('PasskeyRefused')
      },
    }
  }
  if (code === undefined) throw wrongField('code', 'Add a passkey or an authenticator app')
  return newAuthenticatorFactor(services, invitation, code)
}

function newAuthenticatorFactor(
  services: Services,
  { operator_id: operatorId, sealed_secret: sealed }: InvitationRow,
  code: string,
): ProvedFactor {
  if (sealed === null) throw new Refusal('WrongCode')
  const proved = { account_id: operatorId, sealed_secret: sealed }
  const step = stepOfCode(services, proved, code)
  if (step === null) throw new Refusal('WrongCode')
  const now = services.clock.now()
  return {
    words: 'an authenticator app',
    keep: async (transaction) => {
      await putUnconfirmedTwoFactor(transaction, operatorId, sealed, now)
      await confirmTwoFactorRow(transaction, proved, step, now)
    },
  }
}

/**
 * The invitation of a link. Refused attempts are recorded: somebody may be trying other people's
 * links.
 */
async function requireInvitation(services: Services, token: string, client: Client) {
  await services.limits.take('operator_invitation_by_address', connectionOf(client.address))
  const invitation = await findInvitation(services.database, hashToken(token))
  const why = faultOf(invitation, services.clock.now())
  if (invitation !== null && why === null) return invitation
  const details = { why: why ?? '', ...(invitation && { invitation: invitation.id }) }
  const known = invitation && (await findOperatorById(services.database, invitation.operator_id))
  const event = { operatorId: known?.id ?? null, kind: 'invitation_refused', details } as const
  await noteSecurityEvent(services, services.database, event, client)
  services.log.warn({ address: client.address, why }, 'An operator’s invitation was refused')
  throw new Refusal('LinkInvalid')
}

function faultOf(invitation: InvitationRow | null, now: Date): string | null {
  if (invitation === null) return 'unknown'
  if (invitation.accepted_at !== null) return 'used'
  if (invitation.withdrawn_at !== null) return 'withdrawn'
  return invitation.expires_at <= now ? 'expired' : null
}

async function refusePasskey(
  services: Services,
  { id, operator_id }: InvitationRow,
  client: Client,
): Promise<never> {
  const known = await findOperatorById(services.database, operator_id)
  const details = { invitation: id }
  const event = { operatorId: known?.id ?? null, kind: 'passkey_refused', details } as const
  await noteSecurityEvent(services, services.database, event, client)
  throw new Refusal('PasskeyRefused')
}
