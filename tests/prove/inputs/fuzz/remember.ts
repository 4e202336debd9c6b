import { signAsWallet } from './good-wallets.ts'
import type { Call } from './make-call.ts'
import type { Received } from '#tests/prove/wire.ts'
import type { Person, World } from './world.ts'

type Tokens = { access: { token: string }; refresh: { token: string } }
type LoggedIn = { data: { user: { id: string; email: string }; tokens: Tokens } }

/** Takes from a reply what later calls need, and changes what callers know of an account. */
export function remember(world: World, call: Call, reply: Received): void {
  const { name, endpoint, person, fields, sent } = call
  if (reply.status === 401) dropSession(person, sent.headers['authorization'])
  if (reply.status >= 300 || endpoint === null) return
  const key = sent.headers['idempotency-key']
  if (typeof key === 'string') world.learn(key, 'idempotency-key')
  const body = parse(reply.body)
  if (body !== null) world.learn(body)
  if (name === 'operator.pauseSale') world.isPaused = true
  if (name === 'operator.resumeSale') world.isPaused = false
  if (name === 'sandbox.listMails') learnMails(world, body)
  else if (name === 'auth.register')
    world.addPerson(newPerson(body as LoggedIn, String(fields['password'])))
  else if (person !== null) change(name, person, { fields, body, path: sent.path })
}

/** What a call that worked has changed of an account. */
function change(
  name: string,
  person: Person,
  { fields, body, path }: { fields: Call['fields']; body: unknown; path: string },
): void {
  switch (name) {
    case 'auth.login':
      if (fields['email'] === person.email) setTokens(person, (body as LoggedIn).data.tokens)
      break
    case 'auth.refreshTokens':
      if (fields['refresh_token'] === person.refresh) setTokens(person, body as Tokens)
      break
    case 'auth.changePassword':
      person.password = String(fields['password'])
      person.isPasswordDue = false
      break
    case 'auth.resetPassword':
      person.password = String(fields['password'])
      person.isPasswordDue = false
      person.access = null
      break
    case 'auth.startTwoFactor':
      person.secret = (body as { secret: string }).secret
      break
    case 'auth.confirmTwoFactor':
    case 'auth.renewRecoveryCodes':
      person.hasTwoFactor = true
      person.recoveryCodes = (body as { recovery_codes: string[] }).recovery_codes
      break
    case 'auth.endTwoFactor':
      person.hasTwoFactor = false
      person.secret = null
      break
    case 'transactions.createTransaction':
      person.purchaseIds.push((body as { data: { id: string } }).data.id)
      break
    case 'users.listSessions':
      person.sessionIds = (body as { id: string; is_current: boolean }[])
        .filter((session) => !session.is_current)
        .map(({ id }) => id)
      break
    case 'wallets.setWallet':
      // A message is good once.
      person.signed = null
      person.wallet = walletIn(body)
      break
    case 'wallets.getOwnWallet':
    case 'wallets.cancelWalletChange':
      person.wallet = walletIn(body)
      break
    case 'wallets.writeWalletMessage':
      void keepSigned(person, String(fields['signer']), body as { nonce: string; message: string })
      break
    case 'people.requirePasswordChange':
      person.isPasswordDue ||=
        path.includes(person.id) || path.includes(encodeURIComponent(person.email))
      break
  }
}

function walletIn(body: unknown): string | null {
  return (body as { wallet: { address: string } | null }).wallet?.address ?? null
}

/** Signs what the server wrote, for a call to come. */
async function keepSigned(
  person: Person,
  signer: string,
  { nonce, message }: { nonce: string; message: string },
): Promise<void> {
  const signature = await signAsWallet(signer, message)
  if (signature !== null) person.signed = { nonce, signature }
}

export function newPerson({ data }: LoggedIn, password: string): Person {
  return {
    email: data.user.email,
    password,
    id: data.user.id,
    access: data.tokens.access.token,
    refresh: data.tokens.refresh.token,
    secret: null,
    hasTwoFactor: false,
    isPasswordDue: false,
    recoveryCodes: [],
    purchaseIds: [],
    sessionIds: [],
    wallet: null,
    signed: null,
  }
}

function setTokens(person: Person, { access, refresh }: Tokens): void {
  person.access = access.token
  person.refresh = refresh.token
}

/** An access token that was refused is good for nothing any more. */
function dropSession(person: Person | null, authorization: string | string[] | undefined): void {
  if (person !== null && authorization === `Bearer ${person.access}`) person.access = null
}

function learnMails(world: World, body: unknown): void {
  for (const { to, text } of body as { to: string; text: string }[]) {
    const token = /[?&]token=([\w-]+)/.exec(text)?.[1]
    if (token !== undefined) world.learnLink(to, token)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
