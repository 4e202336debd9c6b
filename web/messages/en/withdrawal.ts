/**
 * Withdrawing from a purchase. The words of the two buttons are those of the law (Directive
 * 2011/83/EU, Article 11a); their translations are those of its other languages.
 */
export const withdrawal = {
  label: 'Your right to withdraw',
  until: (date: string) => `You may withdraw until ${date}, without giving a reason.`,
  open: 'Withdraw from the contract here',
  statement: 'I withdraw from this contract:',
  buyer: 'Buyer',
  contract: 'Contract',
  /** A purchase by its number, and when it was made. */
  purchase: (number: string, date: string) => `Purchase ${number} of ${date}`,
  confirmation: 'Confirmation goes to',
  consequences: (tokens: string) =>
    `${tokens} go back to the sale, and a reward that somebody got for inviting you may go too. What ` +
    'you paid is owed back to you in the same coin; the sale pays the network fee. This cannot be ' +
    'undone.',
  consequencesUnpaid:
    'The purchase ends, and there is nothing more to pay. What you have paid so far, and what may still ' +
    'arrive, is owed back to you. This cannot be undone.',
  password: 'Your password',
  passwordMissing: 'Enter your password',
  wrongPassword: 'This password is wrong',
  code: 'Code from your authenticator app, or a recovery code',
  codeMissing: 'Enter a code from your app, or a recovery code',
  wrongCode: 'This code is wrong, or has been used',
  confirm: 'Confirm withdrawal',
  cancel: 'Keep the purchase',
  failed: 'Your withdrawal could not be sent. Please try again.',
  done: 'Your withdrawal has arrived. An email confirms it.',
}
