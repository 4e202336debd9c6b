import { type Addressee, button, hello, type Message, type Sender, text } from './message.ts'

/** `token` is part of the link and is stored nowhere. */
export function verifyEmailMessage(sender: Sender, name: Addressee, token: string): Message {
  return {
    subject: `Confirm your email address for the ${sender.projectName} presale`,
    preview: 'One click, and your address is confirmed. The link works for 24 hours.',
    heading: 'Confirm your email address',
    parts: [
      hello(name),
      text('please confirm that this address is yours. The link works once, for 24 hours.'),
      button('Confirm email address', linkTo(sender, '/verify-email', token)),
      text('If you did not register, you need not do anything.'),
    ],
  }
}

export function resetPasswordMessage(sender: Sender, name: Addressee, token: string): Message {
  return {
    subject: `Choose a new password for the ${sender.projectName} presale`,
    preview: 'The link works once, for 30 minutes.',
    heading: 'Choose a new password',
    parts: [
      hello(name),
      text(
        'somebody, hopefully you, asked for a new password. The link works once, for 30 minutes, ' +
          'and ends every open session.',
      ),
      button('Choose a new password', linkTo(sender, '/reset-password', token)),
      text('If it was not you, you need not do anything: your password stays as it is.'),
    ],
  }
}

export function passwordChangedMessage(sender: Sender, name: Addressee): Message {
  return {
    subject: `Your password for the ${sender.projectName} presale was changed`,
    preview: 'If it was you, there is nothing to do.',
    heading: 'Your password was changed',
    parts: [
      hello(name),
      text('your password was just changed. If it was you, there is nothing to do.'),
      text('If it was not you, choose a new password at once: that ends every open session.'),
      button('Choose a new password', `${sender.publicUrl}/forgot-password`),
    ],
  }
}

function linkTo({ publicUrl }: Sender, path: string, token: string): string {
  return `${publicUrl}${path}?token=${encodeURIComponent(token)}`
}
