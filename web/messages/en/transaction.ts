/** What a situation's sentence speaks of; amounts are formatted, with their symbols. */
export interface PaymentWords {
  due: string
  received: string
  /** What no tokens were given for; null if there is none. */
  unused: string | null
  /** Whether what no tokens were given for is owed back yet, or has been sent. */
  refund: 'unconfirmed' | 'noted' | 'sent'
  tokens: string
  confirmations: number
  required: number
}

const goesBack: Record<PaymentWords['refund'], string> = {
  unconfirmed: 'will be owed back to you once the network has confirmed it',
  noted: 'is owed back to you',
  sent: 'was sent back to you',
}

export const transaction = {
  listTitle: 'Transactions',
  pages: 'Pages of transactions',
  empty: 'No transactions',
  emptyHint: 'What you buy shows up here, with its state and its tokens.',
  listFailed: 'Error getting transactions',
  listFailedHint: 'Your purchases are safe; only this list could not be loaded.',
  statuses: {
    completed: 'Completed',
    expired: 'Expired',
    failed: 'Failed',
    pending: 'Pending',
    processing: 'Processing',
  },
  withdrawn: 'Withdrawn',
  refundDue: 'Refund due',
  refundUnderWay: 'Refund under way',
  /** Beside the status: how far the payment has come. */
  states: {
    arrived: (percent: string) => `${percent} arrived`,
    confirmations: (confirmations: number, required: number) =>
      `${confirmations} of ${required} confirmations`,
    held: 'Under review',
  },
  types: { purchase: 'Purchase', referral: 'Referral' },
  pay: 'Pay',
  details: 'Details',

  title: 'Transaction',
  loading: 'Loading the transaction',
  notFound: 'There is no such transaction',
  notFoundHint: 'The link may be incomplete, or it belongs to another account.',
  failedToLoad: 'The transaction could not be loaded',
  failedToLoadHint: 'Nothing is lost. Try again in a moment.',

  amount: 'Amount to Pay',
  restAmount: 'Amount to Pay (the rest)',
  token: 'Token to Pay With',
  inDollars: (usd: string) => `≈ ${usd}`,
  address: 'Wallet Address',
  addressHint: 'This address is for this purchase alone. The email we sent shows the same one.',
  warning: (symbol: string, network: string) =>
    `Send only ${symbol}, and only on the ${network} network. Other coins, or ${symbol} sent on ` +
    'another network, cannot be credited and may be lost.',
  testNetwork: (network: string) =>
    `This is the test network ${network}: its coins are worth nothing. Send no real ones.`,
  onNetwork: (network: string) => `on the ${network} network`,
  openInWallet: 'Open in wallet',
  payInSandbox: 'Pay in the sandbox',
  qr: {
    label: 'Content of the QR code',
    link: 'Payment link',
    address: 'Address only',
    linkHint: 'Fills in the address and the amount.',
    addressHint: 'For wallets that read only an address. Enter the amount yourself.',
    linkTitle: (amount: string) => `QR code: payment link for ${amount}`,
    addressTitle: 'QR code: wallet address',
  },
  timeLeft: 'Time left',
  timeIsUp: 'Time is up',
  timeOver:
    'Time is up: please do not send anything now. We are checking whether a payment arrived in time.',
  priceHeld: (until: string) => `Your price is held until ${until}.`,
  timeHint: (hasPart: boolean) =>
    (hasPart
      ? 'If the rest has not arrived by then, you get tokens for what has, or it is refunded if ' +
        'it is too little. '
      : 'If nothing has arrived by then, this purchase expires and you owe nothing. ') +
    'A payment that comes later is not lost, but it may buy fewer tokens or be refunded.',
  restTooSmallHint: 'You get tokens for what has arrived, or it is refunded if it is too little.',
  arrivedOf: (received: string, whole: string) => `${received} of ${whole} arrived`,
  steps: {
    label: 'Progress of the payment',
    waiting: 'Waiting for your payment',
    waitingForRest: 'Waiting for the rest',
    seen: 'Payment seen',
    notSeen: 'No payment seen',
    confirming: 'Confirmed by the network',
    credited: 'Tokens credited',
    ofConfirmations: (confirmations: number, required: number) =>
      `${confirmations} of ${required} confirmations`,
    needs: (required: number) =>
      required === 1 ? 'Needs 1 confirmation' : `Needs ${required} confirmations`,
  },
  situations: {
    waiting: () => 'Waiting for your payment.',
    rest: ({ due }: PaymentWords) =>
      `${due} is still to pay: the amount and the QR code below are for the rest.`,
    restTooSmall: () =>
      'Please send nothing more: what is missing is too little for the payment service.',
    dropped: () =>
      'Your payment no longer counts: the network dropped it, or it was sent back to you. What was ' +
      'dropped usually comes back by itself. If your wallet shows it as failed, or you have the ' +
      'money back, send it again.',
    wrongAsset: ({ due, refund }: PaymentWords) =>
      'Something other than the right coin arrived at this address. It does not count: ' +
      `${due} is still to pay. What arrived ${goesBack[refund]}.`,
    held: () => 'Your payment has arrived, and our team is reviewing it. Nothing is lost.',
    confirming: ({ confirmations, required }: PaymentWords) =>
      `Your payment has arrived. The network is confirming it: ${confirmations} of ${required}.`,
    confirmingPart: ({ received }: PaymentWords) =>
      `The time is up, and ${received} of your payment arrived in time. Once the network has ` +
      'confirmed it, you get the tokens it pays for.',
    confirmingLate: () =>
      'Your payment came after the time was up. Once the network has confirmed it, it is turned into ' +
      'tokens at the original or the current price, whichever gives fewer, or owed back to you.',
    confirmingAgain: () =>
      'The network is confirming your payment once more, after it took back its latest blocks. This ' +
      'happens now and then; you do not need to do anything.',
    credited: () => 'Paid in full and on time.',
    creditedPart: ({ received }: PaymentWords) => `For the ${received} that arrived in time.`,
    creditedMore: ({ received, unused, refund }: PaymentWords) => {
      if (unused === null) {
        return `You sent more than was due, and all ${received} was turned into tokens.`
      }
      return refund === 'unconfirmed'
        ? `You sent more than was due. The network is still confirming ${unused} of it.`
        : `You sent more than was due: ${unused} could not be used and ${goesBack[refund]}.`
    },
    creditedLate: ({ unused, refund }: PaymentWords) => {
      const late =
        'Your payment came after the time was up, so it may have bought fewer tokens than planned.'
      if (unused === null) return late
      return refund === 'unconfirmed'
        ? `${late} The network is still confirming ${unused}.`
        : `${late} ${unused} ${goesBack[refund]}.`
    },
    expired: () =>
      'The time ran out before a payment arrived. Nothing was taken. If your payment is on its way, ' +
      'it is not lost: this page shows what became of it once it arrives.',
    expiredDropped: () =>
      'Your payment no longer counts, and the time is up: the network dropped it, or it was sent back ' +
      'to you. If it comes again, it is not lost: this page shows what became of it. If your wallet ' +
      'shows it as failed, nothing was taken.',
    expiredWrongAsset: ({ refund }: PaymentWords) =>
      'Something other than the right coin arrived at this address, and the time is up. What arrived ' +
      `${goesBack[refund]}.`,
    expiredPaid: ({ received, refund }: PaymentWords) =>
      `${received} could not be credited and ${goesBack[refund]}.`,
    failed: () => 'This purchase failed. Nothing was taken.',
    failedShort: ({ received, refund }: PaymentWords) =>
      `Less than the minimum arrived in time. ${received} ${goesBack[refund]}.`,
    failedPaid: ({ received, refund }: PaymentWords) =>
      `This purchase failed. The ${received} that arrived ${goesBack[refund]}.`,
    withdrawn: ({ refund }: PaymentWords) =>
      'You have withdrawn from this purchase. Its tokens went back to the sale, and what you paid ' +
      `${goesBack[refund]}.`,
    withdrawnUnpaid: () =>
      'You have withdrawn from this purchase. Nothing has arrived for it, and you owe nothing.',
    softCapMissed: ({ refund }: PaymentWords) =>
      'The sale did not raise the amount it needed and has been cancelled. What you paid ' +
      `${goesBack[refund]}.`,
    refunded: () => 'What arrived could not be credited. It was sent back to you.',
  },
  buyAgain: 'Start a new purchase',
  whatYouGet: 'What you get',
  whatYouGot: 'What you got',
  youPay: 'You pay',
  youPaid: 'You paid',
  price: 'Token price',
  averagePrice: 'Average token price',
  baseTokens: 'Tokens',
  total: 'Total',
  value: {
    atStage: (stage: string) => `Worth at the price of ${stage}`,
    atOwnPrice: 'Worth at the price of this purchase',
    bonus: 'Of which bonus',
    notTraded: (symbol: string) =>
      `${symbol} is not traded yet. This is what the sale charges for this many, not what anybody ` +
      'would pay you for them.',
  },
  receipts: 'Payments received',
  explorer: 'View on the blockchain',
  /** After the tokens' figure and symbol. */
  areYours: 'are yours',
  next: {
    label: 'What comes next',
    release: 'When you get them',
    receipt: 'Your receipt',
    receiptText: 'What you paid and got, with every date, address and payment.',
    print: 'Print or save as PDF',
    invite: 'Invite a friend',
    inviteLink: 'To your link',
  },
  refund: {
    label: 'Refund',
    arrived: (amount: string) => `${amount} arrived`,
    somethingArrived: 'Something else arrived',
    unused: 'It could not be used',
    goesBack: 'It goes back to you',
    unusedPart: (amount: string) => `${amount} of it could not be used`,
    reasons: {
      late: 'It came after the time was up.',
      short: 'Less than the minimum arrived in time.',
      more: 'It is more than was due.',
      noTokens: 'Too few tokens were left for it, or its coin had no price.',
      otherCoin: 'It is not the coin that this purchase asked for, or not on its network.',
      failed: 'The purchase failed before it was credited.',
      withdrawn: 'You have withdrawn from the purchase.',
      softCap: 'The sale did not raise the amount it needed.',
    },
    due: (amount: string) => `Refund of ${amount} due`,
    sent: (amount: string) => `Refund of ${amount} sent`,
    somethingSent: 'Refund sent',
    hash: 'Transaction of the refund',
    sentHint: 'The network may take some time until your wallet shows it.',
    next:
      'Refunds are sent by hand. Once yours is sent, you get an email, and this page shows its ' +
      'transaction.',
    whereTo: (network: string) =>
      `Write to us with the address on the ${network} network that should get it. Choose one of ` +
      'your own: money that is sent to where a payment came from may not reach you if that was an ' +
      'exchange.',
    whereToAny:
      'Write to us with the address that should get it. Choose one of your own: money that is sent ' +
      'to where a payment came from may not reach you if that was an exchange.',
    write: 'Write about the refund',
    subject: (number: string) => `Refund for purchase ${number}`,
  },
  help: {
    number: (number: string) => `Purchase ${number}`,
    questions: 'Questions?',
    subject: (number: string) => `Purchase ${number}`,
  },
  /** The receipt as it is printed. */
  paper: {
    receipt: 'Receipt',
    purchase: 'Purchase',
    reward: 'Reward',
    soldBy: 'Sold by',
    registration: (number: string) => `Register number ${number}`,
    boughtBy: 'Bought by',
    id: 'Transaction number',
    status: 'Status',
    created: 'Made on',
    completed: 'Credited on',
    terms: 'Terms and Conditions, version of',
    payment: 'Payment',
    paid: 'Paid',
    /** Not what is still to be paid: nobody should pay by an old sheet of paper. */
    asked: 'Asked for',
    inDollars: 'In US dollars',
    network: 'Network',
    address: 'To the address',
    received: 'Received',
    hash: 'Transaction hash',
    tokens: 'Tokens',
    refunds: 'Refunds',
    refundDue: 'Due',
    refundSent: 'Sent',
    unknownCoin: 'A coin that the sale does not know',
    release: 'Release',
    risk: 'Risk',
    writtenBy: (site: string) => `Printed from ${site}`,
  },
  rewardText: ({ tokens }: { tokens: string }) => `${tokens} for a friend you referred. Thank you.`,
  rewardTakenBack: 'This reward was taken back with the purchase that earned it.',
}
