import { afterEach, beforeEach, expect, test } from 'vitest'

import { enqueueMail } from '#server/database/books/outbox.ts'
import { openTestDatabase, type TestDatabase } from '#tests/kit/servers/database.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { type Instance, type ServerFleet, startFleet } from '#tests/kit/servers/server-fleet.ts'
import { type SmtpServer, startSmtpServer } from '#tests/kit/servers/smtp-server.ts'

const MAILS = 20
/** A mail that waits longer for an instance that is gone is asked for again. */
const TAKEN_OVER_WITHIN_MS = 10_000
const WAITING = { timeout: 20_000, interval: 20 }

let open: TestDatabase
let fleet: ServerFleet
let smtp: SmtpServer
let user: SeededUser
beforeEach(async () => {
  open = await openTestDatabase()
  if (open.config.kind !== 'postgres') throw new Error('This needs a PostgreSQL.')
  fleet = await startFleet(open.config.url)
  smtp = await startSmtpServer()
  const [first] = await manyUsers(open.database, 1)
  if (first === undefined) throw new Error('There is no user.')
  user = first
})
afterEach(async () => {
  await fleet.close()
  await smtp.close()
  await open.close()
})

async function enqueue(count: number): Promise<void> {
  for (let mail = 0; mail < count; mail += 1) {
    await enqueueMail(open.database, {
      userId: user.id,
      kind: 'password_changed',
      params: {},
      uniqueKey: null,
      at: new Date(),
    })
  }
}

const messageIds = () =>
  smtp.taken.map(({ headers }) => /^Message-ID: (.*)$/m.exec(headers)?.[1] ?? 'none')

const waitingMails = async () =>
  await open.database.selectFrom('outbox_mails').select('id').where('sent_at', 'is', null).execute()

/** An instance that has begun the first of many mails, which is held at its beginning. */
async function startInTheMiddle(): Promise<Instance> {
  const instance = await fleet.start({ SMTP_URL: smtp.url })
  smtp.behaviour = 'hold'
  await enqueue(MAILS)
  await expect.poll(() => smtp.begun, WAITING).toBe(1)
  smtp.behaviour = 'take'
  return instance
}

test('the mails of an instance that is killed are sent by another within seconds, each once', async () => {
  const killed = await startInTheMiddle()
  const other = await fleet.start({ SMTP_URL: smtp.url })
  killed.process.kill('SIGKILL')
  const killedAt = performance.now()
  await expect.poll(waitingMails, WAITING).toEqual([])
  expect(performance.now() - killedAt).toBeLessThan(TAKEN_OVER_WITHIN_MS)
  expect(new Set(messageIds()).size).toBe(MAILS)
  expect(messageIds()).toHaveLength(MAILS)
  expect(other.process.exitCode).toBeNull()
}, 60_000)

test('an instance that was suspended does not resend what another has taken over', async () => {
  const stopped = await startInTheMiddle()
  stopped.process.kill('SIGSTOP')
  const other = await fleet.start({ SMTP_URL: smtp.url })
  await expect.poll(waitingMails, WAITING).toEqual([])
  other.process.kill('SIGKILL')

  // The mail server goes on with what it held as soon as the instance does.
  smtp.letGo()
  stopped.process.kill('SIGCONT')
  await enqueue(1)
  await expect.poll(waitingMails, WAITING).toEqual([])
  expect(messageIds()).toHaveLength(MAILS + 1)
  expect(new Set(messageIds()).size).toBe(MAILS + 1)
}, 60_000)
