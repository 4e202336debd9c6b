import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { createSmtpSender } from '#server/mail/smtp-sender.ts'
import { secret } from '#server/secret.ts'
import { Unavailable, type Mail } from '#server/services.ts'
import { type SmtpServer, startSmtpServer } from '#tests/kit/smtp-server.ts'

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

const mail: Mail = {
  id: '1795000000000.7',
  to: 'ada@example.com',
  subject: 'Confirm your address',
  text: 'Hello Ada',
  html: '<p>Hello Ada</p>',
}

describe('mail by SMTP', () => {
  test('reaches its one recipient in both forms, with an id that a repeat shares', async () => {
    await sender.send(mail)
    const [taken] = server.taken
    expect(taken?.recipients).toEqual(['<ada@example.com>'])
    expect(taken?.from).toContain('<no-reply@presale.example>')
    expect(taken?.headers).toMatch(/^From: HUH Token <no-reply@presale\.example>$/m)
    expect(taken?.headers).toMatch(/^Subject: Confirm your address$/m)
    expect(taken?.headers).toMatch(/^Message-ID: <1795000000000\.7@presale\.example>$/m)
    expect(taken?.headers).toMatch(/^Auto-Submitted: auto-generated$/m)
    expect(taken?.body).toContain('Hello Ada')
    expect(taken?.body).toContain('<p>Hello Ada</p>')
  })

  test.each([
    ['a subject', { subject: 'Hello\r\nBcc: victim@example.com\r\n\r\nAnother body' }],
    ['a subject with other line breaks', { subject: 'Hello\u2028Bcc: v@example.com\u0085x\u0000' }],
    ['an address', { to: 'ada@example.com\r\nRCPT TO:<victim@example.com>' }],
    ['a list of addresses', { to: 'ada@example.com, victim@example.com' }],
    ['a named address', { to: '"x" <victim@example.com>, ada@example.com' }],
  ])('%s cannot add a header or a recipient', async (_, change) => {
    await sender.send({ ...mail, ...change }).catch(() => {})
    for (const { headers, recipients } of server.taken) {
      expect(recipients).toHaveLength(1)
      expect(headers).not.toMatch(/^(bcc|cc):/im)
      expect(headers.match(/^to:/gim)).toHaveLength(1)
      expect(headers.match(/^subject:/gim)).toHaveLength(1)
    }
  })

  test('that the server does not take is a fault of the outside world', async () => {
    server.refuse()
    await expect(sender.send(mail)).rejects.toThrow(Unavailable)
    await server.close()
    await expect(sender.send(mail)).rejects.toThrow(Unavailable)
  })
})
