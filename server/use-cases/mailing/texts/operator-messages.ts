import type { Role } from '#domain/operators/permissions.ts'
import { deadlineText, instantText } from './instant-texts.ts'
import { button, fact, factOf, facts, type Letter, type Message, text, write } from './letter.ts'
import type { SessionDetails } from './account-messages.ts'
import { parseDecimal, usd, USD_DECIMALS } from '#domain/money.ts'
import { actText } from '#domain/operators/act-text.ts'
import { centsText } from '#server/use-cases/sale/amount-texts.ts'

/** To the people who run the sale. The console is in English, and so are its mails. */

type Params = Record<string, string>

/** A link that lets somebody in: its token is in the fragment, which no server receives. */
export type InvitationLink = { token: string; role: Role; endsAt: Date }

const HELLO = 'Hello,'

export function operatorInvitedMessage(letter: Letter, link: InvitationLink): Message {
  const { name } = letter.sale.project
  const deadline = deadlineText('en', link.endsAt, letter.now)
  return write(letter, {
    subject: `Your invitation to the console of the ${name} presale`,
    preview: `The link works once and expires ${deadline}.`,
    heading: 'You are invited',
    parts: [
      text(HELLO),
      text(
        `You have been invited to help run the ${name} presale, in the role ${link.role}. Use the ` +
          'link to choose a password and a second factor, such as a passkey. It works once and ' +
          `expires ${deadline}.`,
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
      text('Somebody signed in as you from a device or a network that we had not seen.'),
      facts(
        fact('Device', session.device),
        fact('When', instantText('en', session.at)),
        factOf('IP address', session.address),
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
          ? `From now on you can sign in to the console with ${factor}.`
          : `You can no longer sign in to the console with ${factor}.`,
      ),
      text('If it was not you, tell an owner at once: they can end every session and factor.'),
      button(letter, 'Open your account', '/operator/me'),
    ],
  })
}

/** Once a day, to owners: the head of the audit log. */
export function auditHeadMessage(letter: Letter, params: Params): Message {
  const { number = '', hash = '', at = '' } = params
  return write(letter, {
    subject: `The audit log of the ${letter.sale.project.name} presale: row ${number}`,
    preview: `Its hash is ${hash}.`,
    heading: 'Where the audit log ends',
    parts: [
      text('Hello,'),
      text(
        'Keep this mail. If somebody cuts rows off the log of what operators do, or puts an older ' +
          'database back, verifying the log with this hash finds it.',
      ),
      facts(
        fact('Newest row', number),
        fact('When', instantText('en', new Date(at))),
        fact('Hash', hash),
      ),
      button(letter, 'Open the audit log', '/operator/audit'),
    ],
  })
}

/**
 * To owners: something that takes two people was done with the server’s token, which needs only
 * one. The act is called as in the audit log.
 */
export function actedAloneMessage(letter: Letter, params: Params): Message {
  const { call = '', summary = '', name = '', usd: stake } = params
  const { name: project } = letter.sale.project
  return write(letter, {
    subject: `Done with the server’s token at the ${project} presale: ${actText(call)}`,
    preview: `${summary}.`,
    heading: 'Done without a second person',
    parts: [
      text('Hello,'),
      text(
        'Something that takes two people was done with the server’s token, which is for emergencies. ' +
          'If you know nothing of it, change the token and look at the audit log.',
      ),
      facts(
        fact('What', summary),
        fact('By', name === '' ? 'Nobody gave a name' : `“${name}”, as they said`),
        ...(stake === undefined ? [] : [fact('At stake', stakeText(stake))]),
      ),
      button(letter, 'Open the audit log', '/operator/audit'),
    ],
  })
}

function newsOfAccess(to: string): { heading: string; news: string } {
  if (to === 'key') {
    const news = 'An API key was made, with which software can act as an operator does.'
    return { heading: 'A new API key', news }
  }
  if (to === 'owner') {
    const news = 'Somebody else is an owner now, and can do whatever you can.'
    return { heading: 'A new owner', news }
  }
  const news =
    `Somebody else has the role ${to} now, and can be the second person whom refunds, releases ` +
    'and sweeps wait for.'
  return { heading: `A new operator with the role ${to}`, news }
}

/** To owners: somebody else may now do what they may, or software a part of it. */
export function accessGivenMessage(letter: Letter, params: Params): Message {
  const { to = '', name = '', email = '', may = '' } = params
  const { name: project } = letter.sale.project
  const isKey = to === 'key'
  const { heading, news } = newsOfAccess(to)
  return write(letter, {
    subject: `${heading} of the ${project} presale: ${name}`,
    preview: isKey ? `It may: ${may}.` : `It is ${email}.`,
    heading,
    parts: [
      text(HELLO),
      text(news),
      facts(fact('Name', name), isKey ? fact('May', may) : fact('Email', email)),
      text(
        `If you know nothing of it, ${isKey ? 'end the key' : 'remove them'} in the console at ` +
          'once, end your other sessions there, and change your password.',
      ),
      isKey
        ? button(letter, 'Open the API keys', '/operator/connections')
        : button(letter, 'Open the operators', '/operator/operators'),
    ],
  })
}

const stakeText = (text: string) => centsText(usd(parseDecimal(text, USD_DECIMALS) ?? 0n))
