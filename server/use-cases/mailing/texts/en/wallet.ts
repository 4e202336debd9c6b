/** For mails about the wallet that tokens are delivered to. */
export const wallet = {
  labels: {
    network: 'Network',
    former: 'Until then they go to',
    effective: 'Takes effect',
  },
  compare: 'Compare the address with the one in your wallet, character by character.',
  open: 'Open your account',
  set: {
    subject: (symbol: string) => `Your ${symbol} tokens go to this wallet`,
    preview: (address: string) => `${address}. If it was not you, act now.`,
    heading: 'Your receiving wallet is set',
    text: 'Your tokens will be delivered to the wallet below.',
    ifItWasNot:
      'If it was not you, choose a new password at once and change the wallet on your account page, ' +
      'or write to us if that is no longer possible.',
  },
  setForYou: {
    subject: (symbol: string) => `We changed the wallet that your ${symbol} tokens go to`,
    preview: (address: string) => `${address}. If you did not ask for this, write to us at once.`,
    heading: 'Your receiving wallet was changed for you',
    text:
      'The people who run this sale have changed where your tokens are delivered. From now on ' +
      'they go to the wallet below.',
    ifItWasNot: 'If you did not ask for this, write to us at once.',
  },
  askedForYou: {
    subject: (symbol: string) => `A request to send your ${symbol} tokens to another wallet`,
    preview: (address: string) =>
      `To ${address}. If you did not ask us for this, write to us at once.`,
    heading: 'Your receiving wallet may be changed for you',
    text:
      'One of the people who run this sale wants your tokens to be delivered to the wallet below. ' +
      'Nothing has changed yet: a second person has to approve it. Once it is changed, you get ' +
      'another email.',
    ifItWasNot: 'If you did not ask for this, write to us at once, while it can be stopped.',
  },
  changeWaits: {
    subject: (symbol: string) => `Somebody asked for your ${symbol} tokens to go elsewhere`,
    preview: (address: string) => `To ${address}. If it was not you, cancel it.`,
    heading: 'A request to change your receiving wallet',
    text: (deadline: string) =>
      'Somebody, hopefully you, asked for your tokens to be delivered to the wallet below. That ' +
      `takes effect ${deadline}, and until then it can be cancelled.`,
  },
  changeSoon: {
    subject: (symbol: string) => `Last call: your ${symbol} tokens will go to another wallet`,
    preview: (address: string) => `To ${address}. If it was not you, cancel it now.`,
    heading: 'Your receiving wallet changes soon',
    text: (deadline: string) =>
      `Your tokens will be delivered to the wallet below. That takes effect ${deadline}, and until ` +
      'then it can be cancelled.',
  },
  ifItWasYou: 'If it was you and the address is right, there is nothing to do.',
  ifItWasNot:
    'If it was not you, cancel it: the button works without a login. Then choose a new password at ' +
    'once.',
  cancel: 'Cancel the change',
  changeCancelled: {
    subject: (symbol: string) => `The change of your ${symbol} wallet was cancelled`,
    preview: 'The change was cancelled. Your wallet stays as it was.',
    heading: 'The change of your wallet was cancelled',
    by: {
      owner: 'Nothing is delivered to the wallet below. Your tokens go to your wallet as before.',
      freeze:
        'The list of recipients was closed before your change took effect, so your ' +
        'wallet stays as it was and nothing is delivered to the one below. Write to us if you ' +
        'cannot use the former one any more.',
      silence:
        'The email that tells you how to cancel your change could not be sent in time, so we ' +
        'cancelled it. Your tokens go to your wallet as before, and not to the one below. If you ' +
        'still want the change, ask for it again.',
    },
    ifItWasNot: 'If it was not you who asked for the change, choose a new password at once.',
  },
}
