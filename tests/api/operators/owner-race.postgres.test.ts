import { afterAll, beforeAll, expect, test } from 'vitest'

import { teamContract } from '#contract/operator/team.ts'
import { signInContract } from '#contract/operator/account.ts'
import { anInvitation } from '#tests/kit/builders/sign-in/an-invitation.ts'
import { aSoftPasskey } from '#tests/kit/builders/sign-in/a-passkey.ts'
import { anOperatorPerson, type OperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let kit: TestApp
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())

async function ownersLeft(): Promise<number> {
  const owners = await kit.open.database
    .selectFrom('operators')
    .select('id')
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .execute()
  return owners.length
}

test('two owners who lower each other at one moment leave one of them', async () => {
  for (let round = 0; round < 5; round += 1) {
    await kit.open.database.updateTable('operators').set({ role: 'owner' }).execute()
    const [one, other] = [
      await anOperatorPerson(kit, 'owner'),
      await anOperatorPerson(kit, 'owner'),
    ]
    await kit.open.database
      .updateTable('operators')
      .set({ removed_at: new Date() })
      .where('id', 'not in', [one.id, other.id])
      .execute()
    const lower = (by: OperatorPerson, whom: OperatorPerson) =>
      kit.client.call(
        teamContract.changeRole,
        { headers: {}, params: { id: whom.id }, body: { role: 'viewer' } },
        by.as,
      )
    const replies = await Promise.all([lower(one, other), lower(other, one)])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await ownersLeft()).toBe(1)
  }
})

test('so do two who change the table by hand', async () => {
  const { database } = kit.open
  const ids = [await anOperatorPerson(kit, 'owner'), await anOperatorPerson(kit, 'owner')].map(
    ({ id }) => id,
  )
  await database
    .updateTable('operators')
    .set({ removed_at: new Date() })
    .where('id', 'not in', ids)
    .execute()
  const results = await Promise.allSettled(
    ids.map((id) =>
      database.updateTable('operators').set({ role: 'viewer' }).where('id', '=', id).execute(),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await ownersLeft()).toBe(1)
})

test('a link opened by two people at once lets only one of them in', async () => {
  const { token } = await anInvitation(kit)
  const accept = async () => {
    const made = await kit.client.call(signInContract.getInvitedPasskeyCreation, {
      body: { token },
    })
    const passkey = aSoftPasskey().make(made.body)
    const body = { token, name: 'Grace', password: 'passw0rd-1815', passkey }
    return await kit.client.call(signInContract.acceptInvitation, { body })
  }
  const replies = await Promise.all([accept(), accept(), accept()])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
})
