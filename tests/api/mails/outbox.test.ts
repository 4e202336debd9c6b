import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { authContract } from '#contract/auth.ts'
import { sandboxContract } from '#contract/sandbox.ts'
import { claimMail, enqueueMail } from '#server/database/books/outbox.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { startWorkers } from '#server/workers/start-workers.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let kit: TestApp
beforeAll(async () => {
  kit = await startApp()
})
afterAll(() => kit.close())
beforeEach(() => {
  kit.mailbox.isDown = false
  kit.complaints.length = 0
})

const mailsTo = (email: string) => kit.mailbox.taken.filter(({ to }) => to === email)

async function enqueuePasswordChange(userId: string, uniqueKey: string | null = null) {
  const at = kit.clock.now()
  await enqueueMail(kit.open.database, {
    userId,
    kind: 'password_changed',
    params: {},
    uniqueKey,
    at,
  })
}

describe('outgoing mail', () => {
  test('survives a mail server that is down, and is sent once it is back', async () => {
    const { user } = await aUser(kit)
    kit.mailbox.isDown = true
    await enqueuePasswordChange(user.id)
    await sendMails(kit.services)
    await sendMails(kit.services)
    expect(mailsTo(user.email)).toEqual([])
    expect(kit.complaints).toMatchObject([
      { message: 'A mail could not be sent', facts: { kind: 'password_changed', userId: user.id } },
    ])

    kit.mailbox.isDown = false
    await sendMails(kit.services)
    expect(mailsTo(user.email), 'it is not tried again at once').toEqual([])
    await kit.passTime(5_000)
    await sendMails(kit.services)
    expect(mailsTo(user.email)).toHaveLength(1)
    await kit.passTime(60 * 60_000)
    await sendMails(kit.services)
    expect(mailsTo(user.email)).toHaveLength(1)
  })

  test('is left to others by an instance that cannot follow the applied sale file', async () => {
    const { user } = await aUser(kit)
    await enqueuePasswordChange(user.id)
    const { saleFileId } = kit.services
    await sendMails({ ...kit.services, saleFileId: saleFileId - 1n })
    expect(mailsTo(user.email)).toEqual([])
    await sendMails(kit.services)
    expect(mailsTo(user.email).length).toBeGreaterThan(0)
  })

  test('reports one event once, however often it is written and by however many sent', async () => {
    const { user } = await aUser(kit)
    await enqueuePasswordChange(user.id, `test:${user.id}`)
    await enqueuePasswordChange(user.id, `test:${user.id}`)
    await Promise.all(Array.from({ length: 5 }, () => sendMails(kit.services)))
    expect(mailsTo(user.email)).toHaveLength(1)
  })

  test('goes before what is written to everybody, and after what somebody waits for', async () => {
    await sendMails(kit.services)
    const { user } = await aUser(kit)
    const { database } = kit.open
    const ofUser = database.deleteFrom('outbox_mails').where('user_id', '=', user.id)
    await ofUser.execute()
    const at = kit.clock.now()
    for (const kind of ['wallet_wanted', 'password_changed', 'verify_email'] as const) {
      await enqueueMail(database, { userId: user.id, kind, at })
    }
    const kinds: (string | undefined)[] = []
    for (let taken = 0; taken < 3; taken += 1) {
      const claim = { owner: randomUUID(), until: new Date(at.getTime() + 60_000) }
      kinds.push((await claimMail(database, claim, at))?.kind)
    }
    expect(kinds).toEqual(['verify_email', 'password_changed', 'wallet_wanted'])
    await ofUser.execute()
  })

  test('of an instance that died while sending is sent by another', async () => {
    const { user } = await aUser(kit)
    await enqueuePasswordChange(user.id)
    let hang = () => {}
    const dying = {
      ...kit.services,
      mailSender: {
        isReal: true,
        send: () => new Promise<void>((_, reject) => (hang = () => reject())),
      },
    }
    const sending = sendMails(dying)
    await expect.poll(() => String(hang)).toContain('reject')
    await sendMails(kit.services)
    expect(mailsTo(user.email)).toEqual([])
    await kit.passTime(7_000)
    await sendMails(kit.services)
    expect(mailsTo(user.email)).toHaveLength(1)
    hang()
    await sending
  })

  test('is left to others if it was not begun before the server stops', async () => {
    await sendMails(kit.services)
    const { user } = await aUser(kit)
    await enqueuePasswordChange(user.id)
    await enqueuePasswordChange(user.id)
    const slow = Promise.withResolvers<void>()
    let begun = 0
    const send = async () => {
      begun += 1
      await slow.promise
    }
    const stop = startWorkers({ ...kit.services, mailSender: { isReal: true, send } })
    await expect.poll(() => begun).toBe(1)
    const stopped = stop()
    slow.resolve()
    await stopped
    expect(begun).toBe(1)
    await sendMails(kit.services)
    expect(mailsTo(user.email)).toHaveLength(1)
  })

  test('has the same id at each try, by which a mailbox can tell a repeat', async () => {
    const { user } = await aUser(kit)
    const ids: string[] = []
    const failing = {
      ...kit.services,
      mailSender: {
        isReal: true,
        send: async ({ id }: { id: string }) => {
          ids.push(id)
          throw new Error('This one does not get through.')
        },
      },
    }
    await enqueuePasswordChange(user.id)
    await sendMails(failing)
    await kit.passTime(60_000)
    await sendMails(failing)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
    await kit.passTime(60 * 60_000)
    await sendMails(kit.services)
  })

  test('is not sent for a link that is void by then', async () => {
    const { user, as } = await aUser(kit)
    await kit.client.call(authContract.sendVerificationEmail, {}, as)
    await kit.passTime(60_000)
    await kit.client.call(authContract.sendVerificationEmail, {}, as)
    await sendMails(kit.services)
    expect(mailsTo(user.email)).toHaveLength(1)
  })

  test('shows in the sandbox’s mailbox, newest first', async () => {
    const { user, as } = await aUser(kit)
    await kit.client.call(authContract.sendVerificationEmail, {}, as)
    await enqueuePasswordChange(user.id)
    await sendMails(kit.services)
    const all = await kit.client.call(sandboxContract.listMails, { query: {} })
    const query = { to: user.email.toUpperCase() }
    const own = await kit.client.call(sandboxContract.listMails, { query })
    expect(own.body).toEqual(all.body.slice(0, 2))
    expect(own.body[0]?.subject).toContain('was changed')
    expect(own.body[1]?.text).toContain('/verify-email?token=')
    const nobody = await kit.client.call(sandboxContract.listMails, { query: { to: 'nobody' } })
    expect(nobody.body).toEqual([])
  })
})
