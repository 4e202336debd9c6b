import type { WalletRefusalReason } from '#web/lib/wallet/wallet-refusal.ts'

/** Texts about the wallet that bought tokens are delivered to. */
export const receivingWallet = {
  title: 'Receiving wallet',
  intro: (symbol: string, network: string) =>
    `Your ${symbol} tokens will be delivered on ${network}, to a wallet that you alone control.`,
  failedToLoad: 'Your wallet could not be loaded',
  chips: {
    set: 'Set',
    signed: 'Signed',
    pasted: 'Not signed',
    waiting: 'Change pending',
    frozen: 'Final',
  },
  none: 'No wallet is set yet. Until one is, nothing can be delivered to you.',
  confirmFirst:
    'Verify your email first, with the link that we sent to it. The button at the top of this page ' +
    'sends it again.',
  setOne: 'Set the wallet',
  change: 'Change the wallet',
  sign: 'Sign with this wallet',
  goesTo: 'Your tokens go to',
  proofs: {
    signature: 'This wallet has signed to receive your tokens.',
    contract_signature: 'This contract wallet has signed to receive your tokens.',
    none: 'This address was entered by hand and has not signed anything.',
  },
  isShared: 'Another account uses this wallet too. The tokens of both accounts arrive together.',
  listed: 'The list of recipients is closed, with this wallet in it.',
  unlisted:
    'The list of recipients was closed with another wallet. What was not handed out yet comes to ' +
    'this one with the next correction of the list; what was handed out stays in the other wallet.',
  frozen: 'The wallet can no longer be changed here. If you have lost it, write to us.',
  waiting: {
    to: 'To be changed to',
    until: (date: string) =>
      `This takes effect on ${date}. Until then your tokens still go to the wallet above, and you can ` +
      'cancel the change.',
    timeLeft: 'Time left to cancel',
    cancel: 'Cancel the change',
    done: 'The change is cancelled. Your wallet stays as it was.',
    tooLate: 'It was too late to cancel: the change has taken effect.',
    failed: 'The change could not be cancelled. Try again.',
  },
  invite: {
    title: 'Where should your tokens go?',
    text: (symbol: string) =>
      `Choose the wallet that your ${symbol} tokens should be delivered to.`,
    action: 'Set the wallet',
  },

  dialog: {
    set: 'Set your receiving wallet',
    change: 'Change your receiving wallet',
    sign: 'Sign with your receiving wallet',
    chooseSame:
      'Sign with the wallet itself to prove that it is yours. Signing sends nothing and costs nothing.',
    noWalletToSign:
      'No wallet was found in this browser. Open this page in the browser that has yours. If it ' +
      'cannot sign, write to us.',
    choose:
      'It is best to sign with the wallet itself, so that nothing can be mistyped. Signing sends ' +
      'nothing and costs nothing.',
    noWallet:
      'No wallet was found in this browser. Open this page in the browser that has yours, or enter ' +
      'the address by hand.',
    signWith: (wallet: string) => `Sign with ${wallet}`,
    byHand: 'Enter the address by hand',
    steps: {
      account: (wallet: string) => `Open ${wallet} and choose the account that gets the tokens.`,
      oldAccount: (wallet: string) =>
        `Open ${wallet} and choose the account of your current wallet.`,
      signing: (wallet: string) => `Read the message in ${wallet} and sign it there.`,
    },
    publicNote:
      'Wallets and amounts may be published when the tokens are handed out. If nobody should know ' +
      'that this wallet is yours, use a new one.',
    address: 'Address of your wallet',
    addressFault: 'Must be an address: 0x and 40 characters, only digits and a to f',
    exchange:
      'Never use the address of an exchange: many do not credit new tokens, and what is sent there ' +
      'may be lost.',
    last: 'Its last 6 characters',
    lastHint: 'Type them from your wallet.',
    lastFault: 'These are not the last 6 characters of the address',
    isNoExchange: 'This is my own wallet, not the address of an exchange',
    mustConfirm: 'Confirm this to continue',
    isOwnContract: 'This address is a contract. It is mine, and it can transfer tokens',
    goOn: 'Continue',
    back: 'Back',
    confirm: 'Check it once more',
    onNetwork: (network: string) => `On ${network}`,
    compare: 'Compare every character with your wallet. We also email you this address.',
    coolOff:
      'For your safety, the change takes effect after 48 hours. We send you two emails, and you can ' +
      'cancel it from either of them.',
    atOnce: 'Or sign with your current wallet, and it takes effect at once:',
    agreed: 'Your current wallet has agreed: the change takes effect at once.',
    submitSet: 'Set this wallet',
    submitChange: 'Change to this wallet',
    failed: 'The wallet could not be set. Nothing has changed; try again.',
    isSet: 'Your receiving wallet is set. We have emailed you its address.',
    isAsked: 'Your wallet changes in 48 hours. We have emailed you how to cancel it.',
    refusals: {
      WalletFrozen: 'The list of recipients has just been closed, so your wallet stays as it is.',
      WalletChangeWaits: 'A change is already pending. Cancel it first.',
      WalletChanged:
        'Your wallet was changed meanwhile, perhaps on another device. Check it again.',
      WalletMessageInvalid:
        'The signed message has expired or was already used. Go back and sign again.',
      SignatureWrong:
        'This wallet has not signed the message. A contract wallet has to be on the network that the ' +
        'tokens are delivered on.',
      SignatureUnchecked:
        'The signature of a contract wallet cannot be checked right now. It is not wrong: try again ' +
        'later, or enter the address by hand.',
      WalletIsContract:
        'This address is a contract. Confirm below that it is yours and can transfer tokens.',
    },
  },

  /** Why a wallet of the browser did not sign. */
  walletRefusals: {
    rejected: (wallet: string) => `You declined in ${wallet}. Nothing has changed.`,
    locked: (wallet: string) =>
      `${wallet} shares no account with this page. Unlock it and try again.`,
    busy: (wallet: string) =>
      `A request is already open in ${wallet}. Answer it there and try again.`,
    wrongAccount: (wallet: string) =>
      `This is a different account. Choose the one of your current wallet in ${wallet} and try again.`,
    disconnected: (wallet: string) => `${wallet} has no connection. Try again in a moment.`,
    timeout: (wallet: string) => `${wallet} did not answer. Try again.`,
    failed: (wallet: string) =>
      `${wallet} could not sign. Try again, or enter the address by hand.`,
  } satisfies Partial<Record<WalletRefusalReason | 'wrongAccount', (wallet: string) => string>>,

  cancelPage: {
    heading: 'Cancel the change of your wallet',
    text:
      'Somebody asked for your tokens to be delivered to another wallet. If it was not you, ' +
      'cancel that here. You need not log in.',
    action: 'Cancel the change',
    done: 'The change is cancelled. Your tokens go to your wallet as before.',
    next: 'If it was not you who asked for it, choose a new password at once.',
    password: 'Choose a new password',
    invalid:
      'This link does not work any more: the change was cancelled already, or it has taken effect. ' +
      'Your account page shows which.',
    account: 'Open your account',
    failed: 'The change could not be cancelled. Try again.',
  },
}
