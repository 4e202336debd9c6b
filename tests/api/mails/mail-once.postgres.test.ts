import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { enqueueMail } from '#server/database/books/outbox.ts'
import { createSmtpSender, type Patience } from '#server/mail/smtp-sender.ts'
import { secret } from '#server/payments/variables.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { type Behaviour, type SmtpServer, startSmtpServer } from '#tests/kit/servers/smtp-server.ts'
import { someInstances, type TestApp } from '#tests/kit/servers/start-app.ts'

/**
 * Instances that share one PostgreSQL and one mail server. The embedded database has one
 * connection, so only a real PostgreSQL lets two of them claim the same mail.
 */
const INSTANCES = 3
const MINUTE = 60_000

type Instance = { app: TestApp; sender: ReturnType<typeof createSmtpSender> }

const { apps, oneOf } = someInstances(INSTANCES)
let instances: Instance[]
let smtp: SmtpServer
let user: RegisteredUser
let count = 0

beforeAll(async () => {
  smtp = await startSmtpServer()
  instances = apps.map((app) => ({ app, sender: aSender() }))
  user = await aUser(oneOf(0))
})
beforeEach(() => {
  smtp.taken.length = 0
  smtp.begun = 0
  smtp.behaviour = 'take'
})
afterEach(async () => {
  smtp.behaviour = 'take'
  for (const app of apps) app.complaints.length = 0
})
afterAll(async () => {
  for (const { sender } of instances) sender.close()
  await smtp.close()
})

function aSender(patience: Partial<Patience> = {}) {
  const from = { name: 'HUH', address: 'no-reply@presale.example' }
  const usual = { connectMs: 2_000, answerMs: 300, mailMs: 2_000 }
  return createSmtpSender(secret(smtp.url), from, { ...usual, ...patience })
}

/** Every instance looks for mails at the same moment, `times` times. */
async function sendAll(times = 1): Promise<void> {
  for (let round = 0; round < times; round += 1) {
    await Promise.all(
      instances.map(({ app, sender }) => sendMails({ ...app.services, mailSender: sender })),
    )
  }
}

async function passTime(ms: number): Promise<void> {
  for (const { app } of instances) app.clock.pass(ms)
}

/** Events, each written by every instance, as when two of them see the same change. */
async function enqueue(events: number): Promise<void> {
  for (let event = 0; event < events; event += 1) {
    count += 1
    const mail = {
      userId: user.user.id,
      kind: 'password_changed' as const,
      params: {},
      uniqueKey: `event:${count}`,
      at: oneOf(0).clock.now(),
    }
    await Promise.all(instances.map(({ app }) => enqueueMail(app.open.database, mail)))
  }
}

const idOf = ({ headers }: SmtpServer['taken'][number]) =>
  /^Message-ID: (.*)$/m.exec(headers)?.[1] ?? 'none'

const waiting = async () =>
  await oneOf(0)
    .open.database.selectFrom('outbox_mails')
    .select(['id', 'attempts', 'last_fault'])
    .where('sent_at', 'is', null)
    .execute()

/** Until when the one mail in progress is claimed. */
const claimEnd = async () => {
  const { claimed_until } = await oneOf(0)
    .open.database.selectFrom('outbox_mails')
    .select('claimed_until')
    .where('claimed_until', 'is not', null)
    .executeTakeFirstOrThrow()
  return claimed_until?.getTime() ?? 0
}

describe('several instances', () => {
  test('send each of many mails once', async () => {
    await enqueue(60)
    await sendAll(4)
    expect(smtp.taken).toHaveLength(60)
    expect(new Set(smtp.taken.map(idOf)).size).toBe(60)
    expect(await waiting()).toEqual([])
  })

  test('lose nothing while the mail server is down for an hour, and send nothing twice', async () => {
    const { port } = smtp
    await smtp.close()
    for (let minute = 0; minute < 60; minute += 5) {
      await enqueue(2)
      await sendAll()
      await passTime(5 * MINUTE)
    }
    expect(await waiting()).toHaveLength(24)
    smtp = await startSmtpServer({ port })
    for (let minute = 0; minute < 70; minute += 10) {
      await sendAll()
      await passTime(10 * MINUTE)
    }
    expect(smtp.taken).toHaveLength(24)
    expect(new Set(smtp.taken.map(idOf)).size).toBe(24)
    expect(await waiting()).toEqual([])
  })

  test.each<Behaviour>(['later', 'never', 'drop in the middle', 'hang'])(
    'send once what met "%s" at first',
    async (behaviour) => {
      await enqueue(2)
      smtp.behaviour = behaviour
      await sendAll(2)
      expect(smtp.begun, 'each is tried once, and not again at once').toBe(2)
      const troubled = await waiting()
      expect(troubled.map(({ attempts }) => attempts)).toEqual([1, 1])
      smtp.taken.length = 0
      smtp.behaviour = 'take'
      await passTime(5_000)
      await sendAll(2)
      await passTime(60 * MINUTE)
      await sendAll()
      expect(smtp.taken).toHaveLength(2)
      expect(await waiting()).toEqual([])
    },
  )

  test('repeat under the same id what was taken without an answer, and only that', async () => {
    await enqueue(1)
    smtp.behaviour = 'drop at the end'
    await sendAll(3)
    expect(smtp.taken).toHaveLength(1)
    smtp.behaviour = 'take'
    await passTime(5_000)
    await sendAll(3)
    expect(smtp.taken).toHaveLength(2)
    expect(new Set(smtp.taken.map(idOf)).size).toBe(1)
  })

  test('leave a mail to the one that has begun it, however slow it is', async () => {
    await enqueue(2)
    smtp.behaviour = 'hold'
    const patient = aSender({ answerMs: 60_000, mailMs: 60_000 })
    const sending = sendMails({ ...oneOf(0).services, mailSender: patient })
    await expect.poll(() => smtp.begun).toBe(1)
    smtp.behaviour = 'take'
    // Longer by the clock than it would be kept for, if it were not renewed.
    for (let renewal = 0; renewal < 3; renewal += 1) {
      const before = await claimEnd()
      await passTime(3_000)
      await expect.poll(claimEnd, { timeout: 10_000 }).toBeGreaterThan(before)
      await Promise.all(
        instances
          .slice(1)
          .map(({ app, sender }) => sendMails({ ...app.services, mailSender: sender })),
      )
    }
    expect(smtp.taken, 'the other one does not wait for it').toHaveLength(1)
    smtp.letGo()
    await sending
    patient.close()
    expect(smtp.taken).toHaveLength(2)
    expect(new Set(smtp.taken.map(idOf)).size).toBe(2)
    expect(await waiting()).toEqual([])
  })
})
