/** For mails about an account, its logins and its safety. */
export const account = {
  hello: (name: { first: string } | null) => (name === null ? 'Hello,' : `Hello ${name.first},`),
  ifItWasYou: 'If it was you, there is nothing to do.',
  endsSessions: 'If it was not you, choose a new password at once: that ends every open session.',
  chooseNewPassword: 'Choose a new password',
  verifyEmail: {
    subject: (project: string) => `Verify your email for the ${project} presale`,
    preview: (deadline: string) => `One click is enough. The link expires ${deadline}.`,
    heading: 'Verify your email',
    text: (deadline: string) =>
      `Please confirm that this address is yours. The link works once and expires ${deadline}.`,
    button: 'Verify email',
    ifItWasNot: 'If you did not register, you need not do anything.',
  },
  resetPassword: {
    subject: (project: string) => `Choose a new password for the ${project} presale`,
    preview: (deadline: string) => `The link works once and expires ${deadline}.`,
    heading: 'Choose a new password',
    text: (deadline: string) =>
      'Somebody, hopefully you, asked for a new password. The link works once, ends every open ' +
      `session and expires ${deadline}.`,
    ifItWasNot: 'If it was not you, you need not do anything: your password stays as it is.',
  },
  passwordChanged: {
    subject: (project: string) => `Your password for the ${project} presale was changed`,
    heading: 'Your password was changed',
    text: 'Your password was just changed. If it was you, there is nothing to do.',
  },
  newLogin: {
    subject: (project: string) => `A new login to your ${project} presale account`,
    heading: 'A login from a new place',
    text: 'Somebody logged in to your account from a device or a network that we had not seen.',
  },
  sessionReused: {
    subject: (project: string) => `We ended a session of your ${project} presale account`,
    preview: 'The key of that session was used a second time, which can mean that it was stolen.',
    heading: 'We ended one of your sessions',
    text:
      'The key of one of your sessions was used a second time. This happens when a device is ' +
      'restored to an older state, or when somebody has copied the key. To be safe, we ended ' +
      'the session: log in again to continue.',
    ifItWasNot: 'If you cannot explain it, choose a new password: that ends every open session.',
  },
  /** A device is given as `Chrome on Windows`. */
  deviceName: (device: string) => device,
  session: { device: 'Device', when: 'When', address: 'IP address' },
  twoFactorOn: {
    subject: (project: string) => `Two-factor login is on for your ${project} presale account`,
    preview: 'From now on a login needs a code from your authenticator app.',
    heading: 'Two-factor login is on',
    text:
      'From now on a login needs your password and a code from your authenticator app. Keep the ' +
      'recovery codes where you can find them without your phone.',
    ifItWasNot: 'If it was not you, choose a new password at once and write to us.',
  },
  twoFactorOff: {
    subject: (project: string) => `Two-factor login is off for your ${project} presale account`,
    preview: 'From now on your password alone is enough.',
    heading: 'Two-factor login is off',
    text: 'From now on your password alone is enough to log in.',
    ifItWasNot: 'If it was not you, choose a new password at once and turn it on again.',
  },
  recoveryCodeUsed: {
    subject: (project: string) => `A recovery code for your ${project} presale account was used`,
    preview: (codesLeft: number) => `You have ${codesLeft === 0 ? 'none' : codesLeft} left.`,
    heading: 'A recovery code was used',
    figure: (codesLeft: number) => (codesLeft === 0 ? 'None left' : `${codesLeft} left`),
    text: (codesLeft: number) =>
      'Somebody, hopefully you, used one of your recovery codes. You have ' +
      `${codesLeft === 0 ? 'none' : codesLeft} left.`,
    newOnes:
      'You can get ten new ones on your account page, using a code from your app or one of those left.',
    noneLeft:
      'You can get ten new ones on your account page, using a code from your app. If you have lost the ' +
      'app, write to us.',
    button: 'Open your account',
  },
  recoveryCodesRenewed: {
    subject: (project: string) => `New recovery codes for your ${project} presale account`,
    preview: 'The older ones do not work any more.',
    heading: 'You have new recovery codes',
    text:
      'Ten new recovery codes were made for your account. The older ones do not work any more: ' +
      'keep the new ones where you can find them without your phone.',
    ifItWasNot: 'If it was not you, choose a new password at once and write to us.',
  },
  walletWanted: {
    subject: (symbol: string) => `Where should your ${symbol} go?`,
    preview: 'You have tokens, but we do not know which wallet to send them to.',
    heading: 'We need to know your wallet',
    text: (symbol: string) =>
      `You have ${symbol} from the presale, but we do not know which wallet to send them to. Set one on ` +
      'your account page: until then they wait for you, and nobody else gets them.',
    own:
      'Use a wallet whose keys only you hold. Tokens that are sent to the address of an exchange may ' +
      'be lost.',
    button: 'Set your wallet',
  },
  accountErased: {
    subject: (project: string) => `Your ${project} presale account was deleted`,
    preview: 'Your personal data is gone. What you bought stays in the books, without your name.',
    heading: 'Your account was deleted',
    text:
      'As you asked, we have deleted your account: your name, your email address, your phone number ' +
      'and everything that belonged to your logins. What you bought stays in the books, without ' +
      'your name, because a sale must be able to account for every token.',
    ifItWasNot: 'If it was not you, write to us at once.',
    last: 'This is the last email that we send to this address.',
  },
}
