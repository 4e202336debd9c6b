import { afterAll, beforeAll, expect, test } from 'vitest'

import { contract } from '#contract/contract.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { permissionTexts, type Role, roleNames, roles } from '#domain/operators/permissions.ts'
import { anOperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import type { CallOptions } from '#tests/kit/servers/client.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** Every call for operators in every role, so that none can be without its rows. */
const cells = Object.entries(contract).flatMap(([group, endpoints]) =>
  Object.entries<Endpoint>(endpoints)
    .filter(([, { access }]) => access === 'operator')
    .flatMap(([name, endpoint]) =>
      roleNames.map((role) => {
        const permission = endpoint.permission ?? 'own.account'
        const isAllowed = roles[role].includes(permission)
        return { name: `${group}.${name}`, endpoint, role, permission, isAllowed }
      }),
    ),
)
const refused = cells.filter(({ isAllowed }) => !isAllowed)
/** What an allowed act does is for the tests of that act. */
const read = cells.filter(
  ({ isAllowed, endpoint: { method, events, rows, file } }) =>
    isAllowed && method === 'GET' && events === undefined && rows === undefined && !file,
)

let app: TestApp
let people: Record<Role, CallOptions>
beforeAll(async () => {
  app = await startApp()
  const made = await Promise.all(
    roleNames.map(async (role) => [role, (await anOperatorPerson(app, role)).as] as const),
  )
  people = Object.fromEntries(made) as Record<Role, CallOptions>
})
afterAll(() => app.close())

/** About nothing that exists, and with nothing in it: what gets in changes nothing. */
const nothing = {
  params: { id: 'none', session_id: 'none', delivery_id: 'none', format: 'csv', name: 'none' },
  body: {},
}

const make = (endpoint: Endpoint, options: CallOptions) => {
  const { body, ...rest } = nothing
  return app.client.callWith(endpoint, endpoint.body ? { ...rest, body } : rest, options)
}

test.each(refused)('$name is refused to the role $role', async ({ endpoint, role, permission }) => {
  const { status, refusal } = await make(endpoint, people[role])
  expect({ status, reason: refusal.reason }).toEqual({ status: 403, reason: 'PermissionMissing' })
  expect(refusal.message).toBe(
    `Your role, ${role}, does not let you ${permissionTexts[permission]} (${permission})`,
  )
})

test.each(read)('$name is answered to the role $role', async ({ endpoint, role }) => {
  expect([200, 400, 404]).toContain((await make(endpoint, people[role])).status)
})

test('a session of the console is good for no call of buyers, and the reverse', async () => {
  const { user, as } = await aUser(app)
  const params = { id: user.id }
  const own = await app.client.call(contract.users.listSessions, { params }, people.owner)
  expect(own.status).toBe(401)
  const status = await app.client.call(contract.operator.getSaleState, {}, as)
  expect(status.status).toBe(401)
})

test('another site can use nobody’s session', async () => {
  const { headers } = people.owner
  for (const site of ['cross-site', 'same-site']) {
    const from = { headers: { ...headers, 'sec-fetch-site': site } }
    expect((await app.client.call(contract.operator.getSaleState, {}, from)).status).toBe(401)
  }
  const own = { headers: { ...headers, 'sec-fetch-site': 'same-origin' } }
  expect((await app.client.call(contract.operator.getSaleState, {}, own)).status).toBe(200)
})

test('every role may do what the ones before it may, and an owner all there is', () => {
  for (const role of roleNames)
    expect(roles[role]).toEqual(expect.arrayContaining([...roles.viewer]))
  expect([...roles.owner].toSorted()).toEqual(Object.keys(permissionTexts).toSorted())
})
