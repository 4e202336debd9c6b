import { deadlineText, instantText } from './instant-texts.ts'
import type { Letter, Message, MessagePart } from './letter.ts'
import { button, fact, factOf, facts, head, questions, text, write } from './letter.ts'

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

/** What a user recognises a session by. */
export type SessionDetails = { device: string; address: string | null; at: Date }

export function newLoginMessage(letter: Letter, session: SessionDetails): Message {
  const { hello, ifItWasYou, endsSessions, newLogin: texts } = letter.texts.account
  return write(letter, {
    ...head(
      texts,
      letter.sale.project.name,
      `${letter.texts.account.deviceName(session.device)}, ${instantText(letter.language, session.at)}.`,
    ),
    parts: [
      text(hello(letter.name)),
      text(texts.text),
      sessionFacts(letter, session),
      text(ifItWasYou),
      text(endsSessions),
      chooseNewPassword(letter),
    ],
  })
}

export function sessionReusedMessage(letter: Letter, session: SessionDetails): Message {
  const { hello, sessionReused: texts } = letter.texts.account
  return write(letter, {
    ...head(texts, letter.sale.project.name),
    parts: [
      text(hello(letter.name)),
      text(texts.text),
      sessionFacts(letter, session),
      text(texts.ifItWasNot),
      chooseNewPassword(letter),
    ],
  })
}

/** A change to how a user logs in, which a stranger may have made. */
const ofLogin =
  (kind: 'twoFactorOn' | 'twoFactorOff' | 'recoveryCodesRenewed') =>
  (letter: Letter): Message => {
    const { hello, [kind]: texts } = letter.texts.account
    return write(letter, {
      subject: texts.subject(letter.sale.project.name),
      preview: texts.preview,
      heading: texts.heading,
      parts: [
        text(hello(letter.name)),
        text(texts.text),
        text(texts.ifItWasNot),
        chooseNewPassword(letter),
        ...questions(letter, null),
      ],
    })
  }

export const twoFactorOnMessage = ofLogin('twoFactorOn')
export const twoFactorOffMessage = ofLogin('twoFactorOff')
export const recoveryCodesRenewedMessage = ofLogin('recoveryCodesRenewed')

export function recoveryCodeUsedMessage(letter: Letter, codesLeft: number): Message {
  const { hello, endsSessions, recoveryCodeUsed: texts } = letter.texts.account
  return write(letter, {
    ...head(texts, letter.sale.project.name, texts.preview(codesLeft)),
    figure: texts.figure(codesLeft),
    parts: [
      text(hello(letter.name)),
      text(texts.text(codesLeft)),
      text(codesLeft === 0 ? texts.noneLeft : texts.newOnes),
      button(letter, texts.button, '/account'),
      text(endsSessions),
      ...(codesLeft === 0 ? questions(letter, null) : []),
    ],
  })
}

/** The name of an erased user is no longer known. */
export function accountErasedMessage(letter: Letter): Message {
  const { hello, accountErased: texts } = letter.texts.account
  return write(letter, {
    ...head(texts, letter.sale.project.name),
    parts: [
      text(hello(null)),
      text(texts.text),
      text(texts.ifItWasNot),
      ...questions(letter, null),
      text(texts.last),
    ],
  })
}

function sessionFacts({ texts, language }: Letter, { device, address, at }: SessionDetails) {
  const labels = texts.account.session
  return facts(
    fact(labels.device, texts.account.deviceName(device)),
    fact(labels.when, instantText(language, at)),
    factOf(labels.address, address),
  )
}

const chooseNewPassword = (letter: Letter): MessagePart =>
  button(letter, letter.texts.account.chooseNewPassword, '/forgot-password')
