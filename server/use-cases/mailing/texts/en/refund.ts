/** For mails about refund claims. Amounts come with their symbols. */
export const refund = {
  labels: {
    amount: 'Owed back',
    fee: 'Network fee',
    pays: 'You get',
    cancelBy: 'Not approved before',
    reason: 'Reason',
  },
  open: 'Open the claim',
  claimed: {
    subject: (pays: string) => `You asked for ${pays} to be paid back`,
    preview: (address: string) => `To ${address}. If it was not you, cancel it.`,
    heading: 'You asked to be paid back',
    text:
      'We have your claim. A person checks it after the time below, and then the money is sent. ' +
      'Compare the address with the one in your wallet, character by character: once sent, it ' +
      'cannot be taken back.',
    cancel:
      'Is anything wrong, or was it not you? Log in, open the claim and cancel it before that time. ' +
      'If it was not you, choose a new password at once.',
  },
  cancelled: {
    subject: (amount: string) => `Your claim for ${amount} was cancelled`,
    preview: 'We still owe it to you. You can claim it again at any time.',
    heading: 'Your claim was cancelled',
    text: 'Nothing is sent to this address. We still owe it to you, and you can claim it again at any time.',
  },
  rejected: {
    subject: (amount: string) => `Your claim for ${amount} was rejected`,
    preview: 'This email says why. You can claim it again.',
    heading: 'Your claim was rejected',
    text:
      'Nothing is sent to this address. What is owed back to you stays owed, and you can claim ' +
      'it again.',
    owedChanged: 'What is owed back has changed since you claimed it.',
  },
  paid: {
    subject: (pays: string) => `${pays} was paid back to you`,
    preview: (hash: string) => `By the transaction ${hash}.`,
    heading: 'Your refund has been paid',
    text: 'What you claimed has been paid to your address by this transaction.',
  },
}
