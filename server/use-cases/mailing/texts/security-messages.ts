import { instantText } from '#server/use-cases/sale/amount-texts.ts'
import { type Addressee, button, facts, hello, type Message, type Sender, text } from './message.ts'

/** What a user recognises a session by. */
export type SessionDetails = { device: string; address: string | null; at: Date }

export function newLoginMessage(sender: Sender, name: Addressee, session: SessionDetails): Message {
  return {
    subject: `A new login to your ${sender.projectName} presale account`,
    preview: `${session.device}, ${instantText(session.at)}.`,
    heading: 'A login from a new place',
    parts: [
      hello(name),
      text('somebody logged in to your account from a device or a network that we had not seen.'),
      sessionFacts(session),
      text('If it was you, there is nothing to do.'),
      text('If it was not you, choose a new password at once: that ends every open session.'),
      chooseNewPassword(sender),
    ],
  }
}

export function sessionReusedMessage(
  sender: Sender,
  name: Addressee,
  session: SessionDetails,
): Message {
  return {
    subject: `We ended a session of your ${sender.projectName} presale account`,
    preview: 'Its key was used a second time, which a thief would do as well.',
    heading: 'We ended one of your sessions',
    parts: [
      hello(name),
      text(
        'the key of one of your sessions was used a second time. That happens when a device is set ' +
          'back to an older state, and when somebody has copied the key. To be safe we ended the ' +
          'session: log in again to go on.',
      ),
      sessionFacts(session),
      text('If you cannot explain it, choose a new password: that ends every open session.'),
      chooseNewPassword(sender),
    ],
  }
}

export function twoFactorOnMessage(sender: Sender, name: Addressee): Message {
  return {
    subject: `Two-factor login is on for your ${sender.projectName} presale account`,
    preview: 'From now on a login needs a code of your authenticator app.',
    heading: 'Two-factor login is on',
    parts: [
      hello(name),
      text(
        'from now on a login needs your password and a code of your authenticator app. Keep the ' +
          'recovery codes where you find them without your phone.',
      ),
      text('If it was not you, choose a new password at once and write to us.'),
      chooseNewPassword(sender),
    ],
  }
}

export function twoFactorOffMessage(sender: Sender, name: Addressee): Message {
  return {
    subject: `Two-factor login is off for your ${sender.projectName} presale account`,
    preview: 'From now on your password alone is enough.',
    heading: 'Two-factor login is off',
    parts: [
      hello(name),
      text('from now on your password alone is enough to log in.'),
      text('If it was not you, choose a new password at once and turn it on again.'),
      chooseNewPassword(sender),
    ],
  }
}

export function recoveryCodeUsedMessage(
  sender: Sender,
  name: Addressee,
  codesLeft: number,
): Message {
  return {
    subject: `A recovery code of your ${sender.projectName} presale account was used`,
    preview: `You have ${codesLeft} left.`,
    heading: 'A recovery code was used',
    parts: [
      hello(name),
      text(`somebody, hopefully you, used one of your recovery codes. You have ${codesLeft} left.`),
      text('Your account page makes ten new ones at any time.'),
      button('Open your account', `${sender.publicUrl}/account`),
      text('If it was not you, choose a new password at once: that ends every open session.'),
    ],
  }
}

export function recoveryCodesRenewedMessage(sender: Sender, name: Addressee): Message {
  return {
    subject: `New recovery codes for your ${sender.projectName} presale account`,
    preview: 'The older ones do not work any more.',
    heading: 'You have new recovery codes',
    parts: [
      hello(name),
      text(
        'ten new recovery codes were made for your account. The older ones do not work any more: ' +
          'keep the new ones where you find them without your phone.',
      ),
      text('If it was not you, choose a new password at once and write to us.'),
      chooseNewPassword(sender),
    ],
  }
}

/** The name of an erased user is no longer known. */
export function accountErasedMessage(sender: Sender): Message {
  return {
    subject: `Your ${sender.projectName} presale account was erased`,
    preview:
      'Your personal fields are gone. What was bought stays in the books, without your name.',
    heading: 'Your account was erased',
    parts: [
      text('Hello,'),
      text(
        'as you asked, we have erased your account: your name, your address, your phone number and ' +
          'everything that belonged to your logins. What was bought stays in the books, without your ' +
          'name, because a sale must be able to account for every token.',
      ),
      text('This is the last mail that we send to this address.'),
    ],
  }
}

function sessionFacts({ device, address, at }: SessionDetails) {
  return facts(
    ['Device', device],
    ['When', instantText(at)],
    ...(address === null ? [] : [['Internet address', address] as const]),
  )
}

const chooseNewPassword = ({ publicUrl }: Sender) =>
  button('Choose a new password', `${publicUrl}/forgot-password`)
