import { deadlineText } from './instant-texts.ts'
import { button, head, type Letter, write } from './letter.ts'
import { type Message, text } from './message.ts'

/** A link that was mailed: its token is stored nowhere. */
export type MailedLink = { token: string; endsAt: Date }

export function verifyEmailMessage(letter: Letter, link: MailedLink): Message {
  const { hello, verifyEmail: texts } = letter.texts.account
  const deadline = deadlineText(letter.language, link.endsAt, letter.now)
  return write(letter, {
    ...head(texts, letter.sale.project.name, texts.preview(deadline)),
    parts: [
      text(hello(letter.name)),
      text(texts.text(deadline)),
      button(letter, texts.button, withToken('/verify-email', link)),
      text(texts.ifItWasNot),
    ],
  })
}

export function resetPasswordMessage(letter: Letter, link: MailedLink): Message {
  const { hello, chooseNewPassword, resetPassword: texts } = letter.texts.account
  const deadline = deadlineText(letter.language, link.endsAt, letter.now)
  return write(letter, {
    ...head(texts, letter.sale.project.name, texts.preview(deadline)),
    parts: [
      text(hello(letter.name)),
      text(texts.text(deadline)),
      button(letter, chooseNewPassword, withToken('/reset-password', link)),
      text(texts.ifItWasNot),
    ],
  })
}

export function passwordChangedMessage(letter: Letter): Message {
  const { hello, ifItWasYou, endsSessions, passwordChanged: texts } = letter.texts.account
  return write(letter, {
    ...head(texts, letter.sale.project.name, ifItWasYou),
    parts: [
      text(hello(letter.name)),
      text(texts.text),
      text(endsSessions),
      button(letter, letter.texts.account.chooseNewPassword, '/forgot-password'),
    ],
  })
}

export function walletWantedMessage(letter: Letter): Message {
  const { hello, walletWanted: texts } = letter.texts.account
  const { symbol } = letter.sale.project
  return write(letter, {
    ...head(texts, symbol),
    parts: [
      text(hello(letter.name)),
      text(texts.text(symbol)),
      text(texts.own),
      button(letter, texts.button, '/account#wallet'),
    ],
  })
}

function withToken(path: string, { token }: MailedLink): string {
  return `${path}?token=${encodeURIComponent(token)}`
}
