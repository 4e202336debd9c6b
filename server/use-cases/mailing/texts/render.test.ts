import { describe, expect, test } from 'vitest'

import { passwordChangedMessage, resetPasswordMessage } from './account-messages.ts'
import { facts, type Message, type Sender, text } from './message.ts'
import { renderHtml } from './render-html.ts'
import { renderText } from './render-text.ts'

const sender: Sender = {
  projectName: 'HUH Token',
  publicUrl: 'https://presale.example',
  isSandbox: false,
}
const token = 'a-token_1'

describe('a mail', () => {
  const message = resetPasswordMessage(sender, 'Ada', token)
  const forms = [
    ['HTML', renderHtml(message, sender)],
    ['plain text', renderText(message, sender)],
  ] as const

  test.each(forms)('says the same in %s: name, link, how long it works', (_, form) => {
    expect(form).toContain('Hello Ada,')
    expect(form).toContain(`https://presale.example/reset-password?token=${token}`)
    expect(form).toContain('30 minutes')
    expect(form).toContain('HUH Token')
  })

  test('a name cannot add anything to the HTML', () => {
    const html = renderHtml(
      passwordChangedMessage(sender, '<img src=x onerror="alert(1)">&\'</p>'),
      sender,
    )
    expect(html).not.toContain('<img')
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;&lt;/p&gt;')
  })

  test('the HTML loads nothing and runs nothing', () => {
    const html = renderHtml(message, sender)
    expect(html).not.toMatch(/<(script|img|link|iframe|form)\b|\bsrc=|url\(|@import/i)
  })

  test('figures stand beside their labels in both forms', () => {
    const withFacts: Message = {
      subject: 'Figures',
      preview: '',
      heading: 'Figures',
      parts: [text('Two of them:'), facts(['You pay', '0.1 ETH'], ['You get', '2,500 HUH'])],
    }
    expect(renderText(withFacts, sender)).toContain('You pay: 0.1 ETH\nYou get: 2,500 HUH')
    expect(renderHtml(withFacts, sender)).toMatch(/You pay<\/td><td[^>]*>0\.1 ETH</)
  })

  test('the footer reads the same in both', () => {
    for (const [, form] of forms) {
      expect(form).toContain('HUH Token presale, https://presale.example')
      expect(form).toContain('We never ask for your password or for a payment to an address')
    }
  })

  test('a sandbox says that it is one', () => {
    for (const render of [renderText, renderHtml]) {
      expect(render(message, { ...sender, isSandbox: true })).toContain('This is a sandbox')
    }
    expect(renderText(message, sender)).not.toContain('sandbox')
  })
})
