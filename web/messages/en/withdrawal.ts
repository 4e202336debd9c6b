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
    'you paid is owed back to you in the same coin; the fee of the network is borne by the sale. This ' +
    'cannot be undone.',
  consequencesUnpaid:
    'The purchase ends, and nothing is to be paid any more. What you have paid so far, and what still ' +
    'comes, is owed back to you. This cannot be undone.',
  password: 'Your password',
  passwordMissing: 'Enter your password',
  wrongPassword: 'This password is not right',
  code: 'Code of your authenticator app, or a recovery code',
  codeMissing: 'Enter a code of your app, or a recovery code',
  wrongCode: 'This code is not right, or has been used',
  confirm: 'Confirm withdrawal',
  cancel: 'Keep the purchase',
  failed: 'Your withdrawal could not be sent. Please try again.',
  done: 'Your withdrawal has arrived. A mail confirms it.',
}
