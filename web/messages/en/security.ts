/**
 * Texts about protecting an account, fetched with the parts of the page that show them, since most
 * visitors never see them.
 */
export const security = {
  code: 'Authentication code',
  codeIntro: (email: string) =>
    `Enter the code from your authenticator app for this account: ${email}`,
  recoveryCode: 'Recovery code',
  recoveryIntro: 'Enter one of the recovery codes that you saved. Each of them works once.',
  /** Before the link to the privacy policy, which names the address. */
  lostBoth: 'Lost both your app and your codes? Write to us: see the ',
  byRecovery: 'Use a recovery code',
  byApp: 'Use the app',
  codeOrRecovery: 'From your authenticator app, or one of your recovery codes.',
  back: 'Back',

  verifyNotice: (email: string) =>
    `Verify your email to continue buying. Open the link that we sent to this address: ${email}`,
  passwordNoticeTitle: 'Choose a new password',
  passwordNotice:
    'Password change required: for your safety, choose a new password. Until then you can neither see your balance nor buy.',

  firstSteps: 'First steps',
  putAway: 'Dismiss',
  confirmEmail: 'Verify your email',
  confirmEmailText: (email: string) => `Open the link that we sent to this address: ${email}`,
  firstPurchase: 'Make your first purchase',
  firstPurchaseText: (symbol: string) =>
    `Choose an amount of ${symbol} and pay in a coin you hold.`,
  firstPurchaseLater: 'As soon as tokens are on sale.',
  firstPurchaseAction: 'Choose an amount',
  secureLogin: 'Turn on two-factor login',
  secureLoginText: 'A code from your phone keeps others out of your account.',
  secureLoginAction: 'Set it up',
  stepDone: 'Done',

  passwordTitle: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  changePassword: 'Change password',
  passwordEndsOthers: 'Changing your password logs out every other device.',
  passwordChanged: 'Successfully changed password',
  passwordFailed: 'Error changing password',

  twoFactorTitle: 'Two-factor login',
  twoFactorOn: 'On',
  twoFactorOff: 'Off',
  twoFactorWhat:
    'Each login asks for a code from an app on your phone as well as your password. Nobody gets in with the password alone.',
  twoFactorMissing: 'Two-factor login could not be loaded',
  recoveryLeft: (count: number) => {
    if (count === 0) return 'No recovery code is left.'
    return count === 1 ? 'One recovery code is left.' : `${count} recovery codes are left.`
  },
  recoveryFew: 'Get new ones while you can still log in.',
  recoveryNone: 'New ones need a code from your app.',
  renewCodes: 'New recovery codes',
  renewWhat: 'You get ten new codes. Those you have now stop working at once.',
  renew: 'Get new codes',
  renewed: 'Successfully created new recovery codes',
  renewFailed: 'Error creating new recovery codes',
  setUp: 'Set up',
  turnOff: 'Turn off',
  cancel: 'Cancel',
  goOn: 'Continue',
  confirmPassword: 'Your password',
  scan: 'Scan the code with an authenticator app, or copy the secret into it.',
  qrTitle: 'QR code for the authenticator app',
  secret: 'Secret',
  enterCode: 'Then enter the code that the app shows.',
  turnOn: 'Turn on',
  turnedOn: 'Two-factor login is on',
  turnedOff: 'Two-factor login is off',
  twoFactorFailed: 'Error changing two-factor login',
  codesTitle: 'Save your recovery codes',
  codesWhat:
    'Each code lets you in once without the app. They are shown only now: keep them where you can find them without your phone.',
  copyCodes: 'Copy codes',
  downloadCodes: 'Download codes',
  codesFile: 'recovery-codes.txt',
  codesSaved: 'I have saved them',
  done: 'Done',

  sessionsTitle: 'Where you are logged in',
  thisDevice: 'This device',
  /** The server names devices in English. */
  device: (name: string) => name,
  lastUsed: (date: string) => `Last used ${date}`,
  endSession: 'Log out',
  endSessionOf: (device: string) => `Log out ${device}`,
  sessionEnded: 'Successfully logged out that device',
  sessionFailed: 'Error logging out that device',
  endAll: 'Log out everywhere',
  endAllFailed: 'Error logging out everywhere',
  sessionsMissing: 'The list could not be loaded',

  yourRecords: 'Your data',
  exportWhat: 'Everything that is stored about you, as a JSON file.',
  exportMine: 'Download my data',
  exportFile: 'my-account.json',
  exportFailed: 'Error downloading your data',
  eraseWhat: 'Deleting your account cannot be undone.',
  erase: 'Delete my account',
  eraseTitle: 'Delete my account',
  eraseConsequences: [
    'Your name, email, phone number and nationality are erased.',
    'You can never log in to this account again, and every device is logged out.',
    'Your purchases stay in the records of the sale without your name, and you lose your access to them.',
    'Wait for payments that are still on their way: afterwards nobody can tell whose they are.',
    'Claim refunds and set your wallet first: you cannot do so afterwards. You can delete your account one day after a claim, and two days after setting a wallet.',
  ],
  eraseWord: 'DELETE',
  eraseType: (word: string) => `Type ${word} to confirm`,
  eraseWrongWord: (word: string) => `Type the word ${word}`,
  erased: 'Your account has been deleted',
  eraseFailed: 'Error deleting your account',
}
