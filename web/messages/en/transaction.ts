/** What a situation's sentence speaks of; amounts are formatted, with their symbols. */
export interface PaymentWords {
  due: string
  received: string
  /** What no tokens were given for; null where there is nothing of it. */
  unused: string | null
  tokens: string
  confirmations: number
  required: number
}

/** Texts of the transactions list and of the payment dialog. */
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
  types: { purchase: 'Purchase', referral: 'Referral' },
  pay: 'Pay',
  details: 'Details',

  title: 'Transaction',
  id: 'Transaction number',
  date: 'Date',
  loading: 'Loading the transaction',
  notFound: 'There is no such transaction',
  notFoundHint: 'The link may be incomplete, or it belongs to another account.',
  failedToLoad: 'The transaction could not be loaded',
  failedToLoadHint: 'Nothing is lost. Try again in a moment.',

  amount: 'Amount to Pay',
  restAmount: 'Amount to Pay (the rest)',
  token: 'Token to Pay With',
  address: 'Wallet Address',
  warning: (symbol: string, network: string) =>
    `Send only ${symbol}, and only on the ${network} network. Other coins, or ${symbol} sent on ` +
    'another network, cannot be credited and may be lost.',
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
  timeOver: 'Time is up. We are checking for your payment one last time.',
  timeHint:
    'Your price is held until then. If nothing has arrived, this purchase expires and you owe ' +
    'nothing. A payment that comes later is not lost, but it may buy fewer tokens or be refunded.',
  steps: {
    label: 'Progress of the payment',
    seen: 'Payment seen',
    confirming: 'Confirmed by the network',
    credited: 'Tokens credited',
    ofConfirmations: (confirmations: number, required: number) =>
      `${confirmations} of ${required} confirmations`,
    needs: (required: number) =>
      required === 1 ? 'Needs 1 confirmation' : `Needs ${required} confirmations`,
  },
  situations: {
    waiting: () => 'Waiting for your payment.',
    rest: ({ received, due }: PaymentWords) =>
      `${received} arrived. ${due} is still to pay: the amount and the QR code below are for the rest.`,
    dropped: () =>
      'The network dropped your payment. It usually comes back by itself. If your wallet shows it as ' +
      'failed, send it again.',
    wrongAsset: ({ due }: PaymentWords) =>
      'Something other than the right coin arrived at this address. It is noted for a refund and does ' +
      `not count: ${due} is still to pay.`,
    held: () => 'Your payment has arrived, and our team is reviewing it. Nothing is lost.',
    confirming: ({ confirmations, required }: PaymentWords) =>
      `Your payment has arrived. The network is confirming it: ${confirmations} of ${required}.`,
    confirmingPart: ({ received }: PaymentWords) =>
      `The time is up, and ${received} of your payment arrived in time. Once the network has ` +
      'confirmed it, you get the tokens it pays for.',
    confirmingLate: () =>
      'Your payment came after the time was up. Once the network has confirmed it, it is turned into ' +
      'tokens at the original or the current price, whichever gives fewer, or noted for a refund.',
    confirmingAgain: () =>
      'The network is confirming your payment once more, after it took back its latest blocks. This ' +
      'happens now and then; you do not need to do anything.',
    credited: ({ tokens }: PaymentWords) => `Done: ${tokens} are yours.`,
    creditedPart: ({ tokens, received }: PaymentWords) =>
      `Done: ${tokens} are yours, for the ${received} that arrived in time.`,
    creditedMore: ({ tokens, received, unused }: PaymentWords) =>
      unused === null
        ? `Done: ${tokens} are yours. You sent more than was due, and all ${received} was turned ` +
          'into tokens.'
        : `Done: ${tokens} are yours. You sent more than was due, and more than the sale allows: ` +
          `${unused} could not be used and is noted for a refund.`,
    creditedLate: ({ tokens, unused }: PaymentWords) =>
      `Done: ${tokens} are yours. Your payment came after the time was up, so it may have bought ` +
      `fewer than planned.${unused === null ? '' : ` ${unused} is noted for a refund.`}`,
    expired: () =>
      'The time ran out before a payment arrived. Nothing was taken. If your payment is on its way, ' +
      'it is not lost: this page shows what became of it once it arrives.',
    expiredDropped: () =>
      'The network dropped your payment, and the time is up. If it comes back, it is not lost: this ' +
      'page shows what became of it. If your wallet shows it as failed, nothing was taken.',
    expiredWrongAsset: () =>
      'Something other than the right coin arrived at this address, and the time is up. What arrived ' +
      'is noted for a refund.',
    expiredPaid: ({ received }: PaymentWords) =>
      `${received} arrived, but too late to be credited. It is noted for a refund.`,
    failed: () => 'This purchase failed. Nothing was taken.',
    failedShort: ({ received }: PaymentWords) =>
      `Only ${received} arrived in time, which is less than the smallest purchase. It is noted for ` +
      'a refund.',
    failedPaid: ({ received }: PaymentWords) =>
      `This purchase failed. The ${received} that arrived is noted for a refund.`,
  },
  buyAgain: 'Start a new purchase',
  whatYouGet: 'What you get',
  whatYouGot: 'What you got',
  youPay: 'You pay',
  paid: 'Paid',
  price: 'Token price',
  averagePrice: 'Average token price',
  baseTokens: 'Tokens',
  total: 'Total',
  receipts: 'Payments received',
  explorer: 'View on the blockchain',
  rewardText: ({ tokens }: { tokens: string }) => `${tokens} for a friend you referred. Thank you.`,
}
