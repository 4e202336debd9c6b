/** Texts of the transactions list that the payment dialog does not share. */
export const transactionList = {
  filter: {
    label: 'Show',
    options: { all: 'All', open: 'Open', done: 'Done', refund: 'Refunds' },
    none: {
      open: 'Nothing is waiting for payment or confirmation.',
      done: 'Nothing has been completed yet.',
      refund: 'No money is owed back to you.',
    },
  },
  range: (first: string, last: string, total: string) =>
    first === last ? `${first} of ${total}` : `${first}–${last} of ${total}`,
  /** Half of it is `half`; other shares are a number. */
  arrived: (share: string) => (share === '50%' ? 'half arrived' : `${share} arrived`),
  timeLeft: (hours: number, minutes: number) =>
    hours > 0 ? `${hours} h ${minutes} min left` : `${minutes} min left`,
  timeOver: 'time is up',
  confirmations: (confirmations: number, required: number) =>
    `${confirmations} of ${required} confirmations`,
  held: 'under review',
  refundDue: 'refund due',
  refundUnderWay: 'refund under way',
  refunded: 'refunded',
  nothingArrived: 'Nothing arrived',
  /** Before the requested amount, if nothing was bought. */
  of: 'of',
  value: 'worth',
  valueWhy: (usd: string, price: string, symbol: string, bonus: string | null) =>
    `${usd} at the price of this purchase, ${price} for one ${symbol}` +
    (bonus === null ? '' : `; ${bonus} of it is bonus`),
  rounded: 'These amounts are rounded; your balance counts every digit.',
  csv: {
    download: 'Download CSV',
    failed: 'The list could not be downloaded',
    fileName: 'transactions',
    headings: {
      number: 'Number',
      type: 'Type',
      status: 'Status',
      made: 'Made (UTC)',
      completed: 'Completed (UTC)',
      coin: 'Coin',
      network: 'Network',
      asked: 'Amount to pay',
      askedUsd: 'Amount to pay (USD)',
      arrived: 'Amount arrived',
      creditedUsd: 'Credited (USD)',
      price: 'Token price (USD)',
      tokens: 'Tokens bought',
      bonus: 'Bonus tokens',
      total: 'Tokens in total',
      token: 'Token',
      refunds: 'Refunds',
      hashes: 'Payments',
    },
  },
}
