import type { Role } from '#domain/operators/permissions.ts'
import { deadlineText, instantText } from './instant-texts.ts'
import { button, type Letter, write } from './letter.ts'
import { fact, factOf, facts, type Message, text } from './message.ts'
import type { SessionDetails } from './security-messages.ts'

/** To the people who run the sale. The console is in English, and so are its mails. */

/** A link that lets somebody in: its token is in the fragment, which no server receives. */
export type InvitationLink = { token: string; role: Role; endsAt: Date }

const HELLO = 'Hello,'

export function operatorInvitedMessage(letter: Letter, link: InvitationLink): Message {
  const { name } = letter.sale.project
  const deadline = deadlineText('en', link.endsAt, letter.now)
  return write(letter, {
    subject: `Your way into the console of the ${name} presale`,
    preview: `The link works once and expires ${deadline}.`,
    heading: 'Come in',
    parts: [
      text(HELLO),
      text(
        `you are to help run the ${name} presale, in the role ${link.role}. The link lets you ` +
          'choose a password and a second factor, such as a passkey. It works once and expires ' +
          `${deadline}.`,
      ),
      button(letter, 'Set up your sign-in', `/operator/accept#${link.token}`),
      text('If you know nothing of this, do not open it, and tell whoever runs the sale.'),
    ],
  })
}

export function operatorSignedInMessage(letter: Letter, session: SessionDetails): Message {
  return write(letter, {
    subject: `A sign-in to the console of the ${letter.sale.project.name} presale`,
    preview: `${session.device}, ${instantText('en', session.at)}.`,
    heading: 'A sign-in from a new place',
    parts: [
      text(HELLO),
      text('somebody signed in as you from a device or a network that we had not seen.'),
      facts(
        fact('Device', session.device),
        fact('When', instantText('en', session.at)),
        factOf('Internet address', session.address),
      ),
      text(
        'If it was you, there is nothing to do. If it was not, end that session under your name in ' +
          'the console, change your password, and tell an owner at once.',
      ),
      button(letter, 'Open your account', '/operator/me'),
    ],
  })
}

/** `factor` in words: `the passkey “Laptop”`. */
export function operatorFactorMessage(
  letter: Letter,
  what: 'added' | 'removed',
  factor: string,
): Message {
  const heading = what === 'added' ? 'A new way to sign in' : 'A way to sign in was removed'
  return write(letter, {
    subject: `${heading}: the console of the ${letter.sale.project.name} presale`,
    preview: `It is ${factor}.`,
    heading,
    parts: [
      text(HELLO),
      text(
        what === 'added'
          ? `from now on you can sign in to the console with ${factor}.`
          : `you can no longer sign in to the console with ${factor}.`,
      ),
      text('If it was not you, tell an owner at once: they can end every session and factor.'),
      button(letter, 'Open your account', '/operator/me'),
    ],
  })
}
