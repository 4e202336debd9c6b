/** Texts of the dashboard. */
export const dashboard = {
  heading: 'DASHBOARD',
  balance: 'Token Balance',
  balanceEmpty: (symbol: string) => `Your first ${symbol} are a minute away`,
  balanceEmptyText: (price: string, symbol: string) =>
    `One ${symbol} costs ${price} now. Choose an amount, pay in the coin you hold, and watch the ` +
    'tokens arrive here.',
  buy: (symbol: string) => `Buy ${symbol}`,
  price: 'Price',
  finalPrice: 'Final Price',
  endedText: 'The presale has ended.',
  stageTokens: 'Tokens in this stage',
  sold: 'Sold so far',
  left: 'Left to buy',
  soldShare: (share: string) => `${share} sold`,
  noneSold: 'None yet',
  endsIn: (stage: string) => `${stage} Ends In`,
  startsIn: 'Presale Starts In',
  notStarted: 'The presale has not started yet',
  notStartedText: 'Prices and stages are shown here from the first minute on.',
  paused: 'The presale is paused',
  pausedText: 'Nothing can be bought for a while. What you own is not affected.',
  failed: 'The sale could not be loaded',
  failedText: 'Check your connection and try again.',
  chart: {
    title: 'Price',
    periods: { day: 'Day', week: 'Week', month: 'Month', all: 'All' },
    period: 'Period',
    label: (symbol: string, from: string, to: string) =>
      `Price of ${symbol}, from ${from} to ${to}. Use the arrow keys to read single points.`,
    point: (price: string, date: string) => `${price}, ${date}`,
    empty: 'No price has changed in this period yet.',
    failed: 'The price chart could not be loaded',
  },
  recent: 'Recent Transactions',
  recentAll: 'All transactions',
}
