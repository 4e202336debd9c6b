import type { AddressFault } from '#domain/refunds/address-faults.ts'

/** Texts of how a buyer gets money back; amounts are formatted, with their symbols. */
export const refundClaim = {
  title: 'Get your money back',
  open: 'Get your money back',
  intro: 'This money is yours. Tell us which wallet to send it to.',
  failedToLoad: 'What is owed to you could not be loaded',
  failedToLoadHint: 'Nothing is lost. Try again in a moment.',
  step: (step: number, steps: number) => `Step ${step} of ${steps}`,
  back: 'Back',
  goOn: 'Continue',
  done: 'Done',

  amount: {
    heading: 'What you get, and where',
    owed: 'We owe you',
    from: (symbol: string, network: string) =>
      `This is all that we owe you in ${symbol} on ${network}, from several purchases.`,
    inAll: 'We owe you in total',
    purchase: (number: string) => `Purchase ${number}`,
    fee: 'Network fee',
    feeIsOurs: 'paid by us',
    feeWhy:
      'Every transfer costs a fee on its network, as it did when you paid. It is at most a tenth of ' +
      'the amount.',
    arrives: 'Arrives in your wallet',
  },
  address: {
    label: (symbol: string, network: string) => `Your ${symbol} address on ${network}`,
    hint: 'Copy it from your own wallet, and paste it here.',
    checking: 'Checking the address',
    right: (network: string) => `This is an address on ${network}.`,
    ends: 'It ends in',
    compare: 'Compare this with your wallet.',
    unchecked: (network: string) =>
      `Addresses on ${network} cannot be checked here. Compare every character with your wallet.`,
    warning: (symbol: string, network: string) =>
      `Use an address of your own wallet: an exchange may not credit what we send. It has to be for ` +
      `${symbol} on ${network}; what goes to another network is lost.`,
    required: 'Paste the address of your wallet',
    faults: {
      form: () => 'This is not an address, or one of its characters is wrong. Copy it again',
      network: ({ symbol, network }: { symbol: string; network: string }) =>
        `This belongs to another network. Enter your ${symbol} address on ${network}`,
      secret: () => 'This is a hash or a key, not an address. Never show anybody a private key',
      name: () => 'This is a name or a link, which may change. Enter the address itself',
      nobody: () => 'Nobody has the key of this address: what is sent there is lost',
      contract: () => 'This is the contract of a token, not a wallet: what is sent there is lost',
      own: () => 'This address belongs to this sale, not to your wallet',
      sandbox: () =>
        'In this sandbox an address begins with sandbox-: make one up, such as sandbox-my-wallet',
    } satisfies Record<AddressFault, (words: { symbol: string; network: string }) => string>,
    failed: 'The address could not be checked. Try again in a moment.',
  },
  confirm: {
    heading: 'Check it once more',
    gets: 'You get',
    to: (network: string) => `At this address on ${network}`,
    final: 'Once a claim is approved, its address cannot be changed.',
    submit: (amount: string) => `Claim ${amount}`,
    failed: 'Your claim could not be made. Nothing has happened; try again.',
  },
  changed: 'What we owe you, or the fee, has changed. These are the new figures.',
  claimedMeanwhile: 'This has already been claimed, or is being sent to you.',
  made: {
    heading: 'We have received your claim',
    text: (amount: string) =>
      `${amount} will be sent to this address. We have emailed you the same; if it was not you who ` +
      'asked, cancel it and change your password.',
    next: 'What happens next',
    steps: [
      'Nothing is sent for a day, so that you can still cancel.',
      'Then a person checks it and approves or rejects it.',
      'It is sent in the next payment. You get an email with its transaction.',
    ],
  },

  cancel: {
    until: (date: string) =>
      `You can cancel this until ${date}; nobody can approve it before then.`,
    afterwards: 'You can cancel this until it is approved.',
    timeLeft: 'Time left to cancel',
    action: 'Cancel the claim',
    ask: 'Cancel it? You can claim the money again at any time; the day of waiting then starts over.',
    confirm: 'Yes, cancel it',
    keep: 'Keep it',
    done: 'The claim is cancelled. The money is owed to you as before.',
    failed: 'The claim could not be cancelled. Try again.',
    tooLate: 'This claim has moved on and can no longer be cancelled.',
  },

  /** How far a claim has come. */
  progress: {
    claimed: (amount: string) => `You claimed ${amount}`,
    approving: 'Waiting for approval',
    approvingHint: (date: string) => `A person will check it, no earlier than ${date}.`,
    approvingSoon: 'A person will check it. There is nothing for you to do.',
    approved: 'Approved',
    batching: 'To be added to a payment',
    batched: 'Added to a payment',
    batchedHint: 'Payments are signed by hand, so this may take a few days.',
    sending: 'To be sent',
    sent: 'Sent',
    confirming: 'To be confirmed by the network',
    confirmed: 'Confirmed by the network',
    rejected: 'Your claim was rejected',
    rejectedNext: 'The money is owed to you as before: claim it again, or write to us.',
    cancelled: (date: string) => `You cancelled your claim on ${date}.`,
    to: (amount: string) => `${amount} goes to`,
    feeOf: (fee: string) => `The network fee of ${fee} is taken off.`,
    arrived: (amount: string, fee: string) =>
      `${amount} arrived at this address; the network fee was ${fee}.`,
    arrivedWhole: (amount: string) => `${amount} arrived at this address.`,
  },

  whyNot: {
    too_small: (owed: string, minimum: string, symbol: string) =>
      `${owed} is too little to send yet: the network fee would take too much of it. You can claim ` +
      `it once it is ${minimum} or more. Until then it stays yours, adds up with whatever else we ` +
      `owe you in ${symbol}, and never expires.`,
    in_claim:
      'More has arrived for this purchase since you claimed. You can claim that too once this ' +
      'claim is paid.',
    being_sent:
      'We have noted that this was sent to you, and a second person is checking that. We will email ' +
      'you once it is confirmed; if it is not, you can claim it here.',
  },
}
