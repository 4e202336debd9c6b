import { describe, expect, test } from 'vitest'

import { pageLanguages } from '#domain/language.ts'
import {
  aLetter,
  aTalkativeSale,
  delivery,
  everyMail,
  HASH,
} from '#tests/kit/builders/every-mail.ts'
import { passwordChangedMessage, resetPasswordMessage } from './account-messages.ts'
import { deliveryClaimableMessage, deliveryDeliveredMessage } from './delivery-messages.ts'
import { fact, facts, text, write } from './letter.ts'
import { renderHtml } from './render-html.ts'
import { renderText } from './render-text.ts'

const token = 'a-token_1'

describe('a mail', () => {
  const message = everyMail('en').reset_password
  const forms = [
    ['HTML', renderHtml(message)],
    ['plain text', renderText(message)],
  ] as const

  test.each(forms)('says the same in %s: name, link, how long it works', (_, form) => {
    expect(form).toContain('Hello Ada,')
    expect(form).toContain(`https://presale.example/reset-password?token=${token}`)
    expect(form).toContain('in 30 minutes (00:30 UTC)')
    expect(form).toContain('Example')
  })

  test('a name cannot add anything to the HTML', () => {
    const name = { first: '<img src=x onerror="alert(1)">&\'</p>', last: '' }
    const html = renderHtml(passwordChangedMessage(aLetter({ name })))
    expect(html).not.toContain('<img')
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;&lt;/p&gt;')
  })

  const evil = '"><script>alert(1)</script><b title=\'x'
  test.each(Object.keys(everyMail('en')))(
    'no text of the sale file, a purchase or a name adds to the HTML of %s',
    (kind) => {
      const statement = `Risk ${evil}`
      const sale = {
        ...aTalkativeSale({
          name: `Project ${evil}`,
          symbol: evil,
          contactEmail: `help${evil}@example.com`,
          seller: { name: evil, place: evil, registration: evil },
          risk: { statement, summary: [] },
        }),
        translations: { de: { [statement]: `Risiko ${evil}`, [evil]: `Ort ${evil}` } },
      }
      for (const language of ['en', 'de'] as const) {
        const mails = everyMail(language, { sale, name: { first: evil, last: evil } })
        const html = renderHtml(
          Object.entries(mails).find(([each]) => each === kind)?.[1] ?? message,
        )
        expect(html).not.toMatch(/<script|<b /)
        expect(html).toContain('&lt;script&gt;')
      }
    },
  )

  test('the HTML loads nothing and runs nothing: its one picture is in the mail', () => {
    const pictures = { logo: aPng(336, 104), icon: null, socialPreview: null }
    const withLogo = everyMail('en', { sale: aTalkativeSale({ pictures }) }).reset_password
    for (const html of [renderHtml(message), renderHtml(withLogo)]) {
      expect(html).not.toMatch(/<(script|link|iframe|form)\b|url\(|@import/i)
      expect(html).not.toMatch(/\bsrc="(?!cid:)/i)
    }
    const shown = /<img src="cid:logo@presale" width="78" height="24" alt="Example"/
    expect(renderHtml(withLogo)).toMatch(shown)
    expect(renderHtml(message)).not.toContain('<img')
  })

  test('a logo that would weigh down every mail is replaced by the name', () => {
    const heavy = Buffer.concat([Buffer.from(aPng(336, 104), 'base64'), Buffer.alloc(65 * 1024)])
    const pictures = { logo: heavy.toString('base64'), icon: null, socialPreview: null }
    const { brand } = everyMail('en', { sale: aTalkativeSale({ pictures }) }).verify_email
    expect(brand).toEqual({ name: 'Example', logo: null })
  })

  test('figures stand beside their labels in both forms', () => {
    const withFacts = write(aLetter(), {
      subject: 'Figures',
      preview: '',
      heading: 'Figures',
      figure: '2,500 HUH',
      parts: [
        text('Two of them:'),
        facts(fact('You pay', '0.1 ETH'), fact('You get', '2,500 HUH')),
      ],
    })
    expect(renderText(withFacts)).toContain('Figures:\n2,500 HUH\n')
    expect(renderText(withFacts)).toContain('You pay: 0.1 ETH\nYou get: 2,500 HUH')
    expect(renderHtml(withFacts)).toMatch(/You pay<\/td><td[^>]*>0\.1 ETH</)
    expect(renderHtml(withFacts)).toMatch(/<p style="[^"]*font-size:31px[^"]*">2,500 HUH<\/p>/)
  })

  test('the footer reads the same in both, and names who sells', () => {
    for (const [, form] of forms) {
      expect(form).toContain('Example presale, https://presale.example')
      expect(form).toContain('Sold by Example Ltd, London, United Kingdom, registered as 01234567')
      expect(form).toContain('We never ask for your password or for a payment to an address')
    }
  })

  test('a sandbox says that it is one', () => {
    const link = { token, endsAt: new Date('2030-01-01T00:30:00Z') }
    const inSandbox = resetPasswordMessage(aLetter({ isSandbox: true }), link)
    for (const render of [renderText, renderHtml]) {
      expect(render(inSandbox)).toContain('This is a sandbox')
    }
    expect(renderText(message)).not.toContain('sandbox')
  })
})

const claimed = { ...delivery, hash: HASH }

test.each(pageLanguages)(
  'a stream that was claimed is not reported as arrived, in %s',
  (language) => {
    const letter = aLetter({ language })
    const arrived = { en: /arrived/, de: /angekommen/ }[language]
    expect(renderText(deliveryDeliveredMessage(letter, claimed))).toMatch(arrived)
    for (const tool of ['sablier_linear', 'sablier_tranched'] as const) {
      const mail = renderText(deliveryDeliveredMessage(letter, { ...claimed, tool }))
      expect(mail).not.toMatch(arrived)
      expect(mail).toMatch(/Sablier/)
      expect(mail).toContain(HASH)
    }
  },
)

test.each(pageLanguages)('who is to claim learns whose fees there are, in %s', (language) => {
  const letter = aLetter({ language })
  const claimable = (tool: typeof delivery.tool) =>
    renderText(deliveryClaimableMessage(letter, { ...delivery, tool }))
  const ofTheTool = { en: 'fee of its own', de: 'eigene Gebühr' }[language]
  const ofSablier = { en: 'Sablier may ask for one', de: 'Sablier kann eine verlangen' }[language]
  const flat = (mail: string) => mail.replaceAll(/\s+/g, ' ')
  expect(flat(claimable('uniswap'))).not.toContain(ofTheTool)
  expect(flat(claimable('sablier_instant'))).toContain(ofTheTool)
  expect(flat(claimable('sablier_linear'))).toContain(ofSablier)
})

/** The beginning of a PNG, which names its size. */
function aPng(width: number, height: number): string {
  const file = Buffer.alloc(40)
  file.write('\x89PNG\r\n\x1a\n', 'latin1')
  file.writeUInt32BE(width, 16)
  file.writeUInt32BE(height, 20)
  return file.toString('base64')
}
