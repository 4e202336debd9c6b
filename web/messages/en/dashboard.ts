import { useLanguage } from '#web/messages/language.ts'

/** Texts of the dashboard. */
export const dashboard = {
  heading: 'DASHBOARD',
  balance: 'Token Balance',
  balanceEmpty: (symbol: string) => `Buy your first ${symbol}`,
  balanceEmptyText: (price: string, symbol: string) =>
    `One ${symbol} costs ${price} now. Choose an amount, pay in the coin you hold, and watch the ` +
    'tokens arrive here.',
  balanceNone: (symbol: string) => `You own no ${symbol} yet`,
  balanceNever: (symbol: string) => `You own no ${symbol}`,
  balanceNoneText: {
    NOT_STARTED: 'The first can be bought as soon as the sale opens.',
    PAUSED: 'The first can be bought as soon as the sale goes on.',
    ENDED: 'Nothing was bought from this account in the presale.',
  },
  buy: (symbol: string) => `Buy ${symbol}`,
  finalPrice: 'Final Price',
  endedText: 'The presale has ended.',
  stageTokens: 'Tokens in this stage',
  sold: 'Sold so far',
  left: 'Left to buy',
  soldShare: (share: string) => `${share} sold`,
  noneSold: 'None yet',
  endsIn: (stage: string) => `${stage} Ends In`,
  startsIn: 'Presale Starts In',
  nextStageIn: 'Next Stage Opens In',
  notStarted: 'The presale has not started yet',
  nextStageNotStarted: 'The next stage has not started yet',
  notStartedText: 'Stage and price are shown here from the moment it opens.',
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

export function useDashboardTexts(): typeof dashboard {
  return useLanguage().texts?.dashboard ?? dashboard
}
