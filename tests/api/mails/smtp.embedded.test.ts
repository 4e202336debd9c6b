import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { createSmtpSender } from '#server/mail/smtp-sender.ts'
import { secret } from '#server/payments/variables.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Mail } from '#server/ports/mail.ts'
import { type Behaviour, type SmtpServer, startSmtpServer } from '#tests/kit/servers/smtp-server.ts'

let server: SmtpServer
let sender: ReturnType<typeof createSmtpSender>
const from = { name: 'HUH Token', address: 'no-reply@presale.example' }
beforeEach(async () => {
  server = await startSmtpServer()
  sender = createSmtpSender(secret(server.url), from)
})
afterEach(async () => {
  sender.close()
  await server.close()
})

const impatient = { connectMs: 5_000, answerMs: 5_000, mailMs: 5_000 }

/** Nobody wants these mails to be broken off. */
const goingOn = new AbortController().signal

const mail: Mail = {
  id: '1795000000000.7',
  to: 'ada@example.com',
  subject: 'Confirm your address',
  text: 'Hello Ada',
  html: '<p>Hello Ada</p>',
  pictures: [],
}

describe('mail by SMTP', () => {
  test('reaches its one recipient in both forms, with an id that a repeat shares', async () => {
    await sender.send(mail, goingOn)
    const [taken] = server.taken
    expect(taken?.recipients).toEqual(['ada@example.com'])
    expect(taken?.from).toBe('no-reply@presale.example')
    expect(taken?.headers).toMatch(/^From: HUH Token <no-reply@presale\.example>$/m)
    expect(taken?.headers).toMatch(/^Subject: Confirm your address$/m)
    expect(taken?.headers).toMatch(/^Message-ID: <1795000000000\.7@presale\.example>$/m)
    expect(taken?.headers).toMatch(/^Auto-Submitted: auto-generated$/m)
    expect(taken?.body).toContain('Hello Ada')
    expect(taken?.body).toContain('<p>Hello Ada</p>')
  })

  test('carries its pictures within, under the names that its HTML shows them by', async () => {
    const png = Buffer.from('a picture').toString('base64')
    const html = '<img src="cid:logo@presale">'
    await sender.send({ ...mail, html, pictures: [{ cid: 'logo@presale', png }] }, goingOn)
    const [taken] = server.taken
    expect(taken?.headers).toMatch(/^Content-Type: multipart\/alternative/m)
    expect(taken?.body).toMatch(/^Content-Type: multipart\/related/m)
    expect(taken?.body).toMatch(/^Content-Type: image\/png/m)
    expect(taken?.body).toMatch(/^Content-ID: <logo@presale>/im)
    expect(taken?.body).toMatch(/^Content-Disposition: inline/m)
    expect(taken?.body).toContain(png)
    expect(taken?.body).toContain('src="cid:logo@presale"')
  })

  test.each([
    ['line breaks', 'Hello\r\nBcc: v@example.com\r\n\r\nA body', 'Hello Bcc: v@example.com A body'],
    [
      'other line breaks',
      'Hello\u2028Bcc: v@example.com\u0085x\u0000',
      'Hello Bcc: v@example.com x',
    ],
  ])('a subject with %s adds no header and no recipient', async (_, subject, sent) => {
    await sender.send({ ...mail, subject }, goingOn)
    expect(server.taken).toMatchObject([{ recipients: [mail.to] }])
    const headers = server.taken[0]?.headers.split(/\r?\n/) ?? []
    expect(headers.filter((line) => /^(subject|to|cc|bcc):/i.test(line)).toSorted()).toEqual([
      `Subject: ${sent}`,
      `To: ${mail.to}`,
    ])
  })

  test.each([
    ['an address with a line break', 'ada@example.com\r\nRCPT TO:<victim@example.com>'],
    ['a list of addresses', 'ada@example.com, victim@example.com'],
    ['a named address', '"x" <victim@example.com>, ada@example.com'],
  ])('%s is one recipient, whom the mail server refuses', async (_, to) => {
    await expect(sender.send({ ...mail, to }, goingOn)).rejects.toThrow(/recipients .* 501/)
    expect(server.taken).toEqual([])
  })

  test.each<[Behaviour, RegExp]>([
    ['later', /451/],
    ['never', /550/],
    ['drop in the middle', /closed|reset/i],
    ['drop at the end', /closed|reset/i],
    ['hang', /timeout|aborted/i],
    ['turn away', /closed|reset/i],
  ])('that meets "%s" is a fault of the outside world, tried once', async (behaviour, why) => {
    sender.close()
    sender = createSmtpSender(secret(server.url), from, { ...impatient, answerMs: 300 })
    server.behaviour = behaviour
    const sending = sender.send(mail, goingOn)
    await expect(sending).rejects.toThrow(Unavailable)
    await expect(sending).rejects.toThrow(why)
    expect(server.begun).toBe(1)
    server.behaviour = 'take'
    await sender.send(mail, goingOn)
    expect(server.taken.at(-1)?.recipients).toEqual([mail.to])
  })

  test('that nobody gets is reported without the address, which may be erased later', async () => {
    server.behaviour = 'never'
    const fault: unknown = await sender.send(mail, goingOn).catch((error: unknown) => error)
    expect(inspect(fault, { depth: null })).toContain('550')
    expect(inspect(fault, { depth: null })).not.toContain(mail.to)
  })

  test('whatever the server does, a mail takes no longer than it may', async () => {
    sender.close()
    sender = createSmtpSender(secret(server.url), from, {
      connectMs: 60_000,
      answerMs: 60_000,
      mailMs: 200,
    })
    server.behaviour = 'hang'
    await expect(sender.send(mail, goingOn)).rejects.toThrow(Unavailable)
    server.behaviour = 'take'
    await sender.send(mail, goingOn)
    expect(server.taken).toHaveLength(1)
  })

  test('without a reply is an outside fault', async () => {
    await server.close()
    await expect(sender.send(mail, goingOn)).rejects.toThrow(Unavailable)
  })
})

describe('a mail server with a login', () => {
  const login = { user: 'presale', password: 'a password for mails' }
  const urlOf = ({ port }: SmtpServer, password: string, query = '') =>
    secret(`smtp://presale:${encodeURIComponent(password)}@127.0.0.1:${port}${query}`)
  const selfSigned = '?tls.rejectUnauthorized=false'

  async function sendTo(smtp: SmtpServer, password: string, query?: string): Promise<void> {
    const one = createSmtpSender(urlOf(smtp, password, query), from, impatient)
    try {
      await one.send(mail, goingOn)
    } finally {
      one.close()
      await smtp.close()
    }
  }

  test('gets the password once the connection is encrypted', async () => {
    const smtp = await startSmtpServer({ login, hasTls: true })
    await sendTo(smtp, login.password, selfSigned)
    expect(smtp.taken).toMatchObject([{ isEncrypted: true, user: login.user }])
  })

  test('does not get it where it cannot encrypt, unless the setting allows it', async () => {
    const smtp = await startSmtpServer({ login })
    await expect(sendTo(smtp, login.password)).rejects.toThrow(/STARTTLS/)
    expect(smtp.begun).toBe(0)
    const plain = await startSmtpServer({ login })
    await sendTo(plain, login.password, '?requireTLS=false')
    expect(plain.taken).toMatchObject([{ isEncrypted: false, user: login.user }])
  })

  test('does not get it with a self-signed certificate', async () => {
    const smtp = await startSmtpServer({ login, hasTls: true })
    await expect(sendTo(smtp, login.password)).rejects.toThrow(/certificate/)
    expect(smtp.begun).toBe(0)
  })

  test('that refuses the password is reported, and never with the password', async () => {
    const smtp = await startSmtpServer({ login, hasTls: true })
    const sending = sendTo(smtp, 'another password', selfSigned)
    await expect(sending).rejects.toThrow(/535/)
    await expect(sending).rejects.not.toThrow(/another password/)
  })
})
