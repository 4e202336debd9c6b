/** Texts of what is offered: the price ladder, the release of tokens, and the risk. */
export const offer = {
  ladder: {
    label: (symbol: string) =>
      `The stages of the sale: width is ${symbol}, height is price. Use the arrow keys to read each stage.`,
    strip: (symbol: string) => `Where the sale of ${symbol} stands.`,
    legend: 'Legend',
    axes: (tokens: string) => `Width is tokens, height is price for ${tokens}`,
    filled: 'sold',
    here: 'you are here',
    purchases: (count: number) => (count === 1 ? 'your purchase' : `your ${count} purchases`),
    wanted: 'what you would buy now',
    wantedShare: (usd: string, share: string, stage: string) =>
      `Your ${usd} buys ${share} of ${stage}.`,
    soldOf: (share: string, stage: string) => `${share} of ${stage} is sold.`,
    notToScale: 'drawn larger than it is, to be seen',
    statuses: {
      upcoming: 'not open yet',
      active: 'open now',
      paused: 'paused',
      ended: 'over',
    },
    priceFor: (price: string, tokens: string) => `${price} for ${tokens}`,
    priceNow: (price: string) => `now ${price}`,
    sold: (share: string) => `${share} sold`,
    caption: 'All stages',
    captionNote: 'Dates are in UTC.',
    columns: {
      stage: 'Stage',
      open: 'Open',
      tokens: (symbol: string) => `Tokens (${symbol})`,
      price: (tokens: string) => `Price for ${tokens}`,
      sold: 'Sold',
    },
    until: (from: string, to: string) => `${from} – ${to}`,
    from: (from: string) => `from ${from}`,
  },
  release: {
    /** The plan in one line; without a first part, or without months, it is shorter. */
    line: {
      atOnce: 'Released at launch, all at once.',
      atOnceOn: (date: string) => `Released on ${date}, all at once.`,
      over: (months: string) => `Released over ${months} after launch.`,
      overFrom: (months: string, date: string) => `Released over ${months} from ${date}.`,
      firstOver: (months: string, first: string) =>
        `Released over ${months} after launch, ${first} first.`,
      firstOverFrom: (months: string, date: string, first: string) =>
        `Released over ${months} from ${date}, ${first} first.`,
    },
    months: (count: number) => (count === 1 ? '1 month' : `${count} months`),
    percent: (figure: string) => `${figure}%`,
    next: 'Next release',
    first: 'First release',
    all: 'All released',
    atLaunch: 'At launch',
    monthsAfter: (months: string) => `${months} after`,
    amount: (tokens: string, symbol: string, percent: string) => `${tokens} ${symbol}, ${percent}`,
    locked: (tokens: string, symbol: string) =>
      `${tokens} ${symbol} are not released and cannot be sold yet.`,
    unlocked: (tokens: string, symbol: string) => `All ${tokens} ${symbol} are released.`,
    noDate: 'The day of the launch is not set.',
    chart: (symbol: string) => `How many ${symbol} are released, by month`,
    columns: { when: 'When', part: 'Released then', free: 'Released in all' },
    utc: 'Dates are in UTC.',
  },
  risk: { more: 'Risks in two minutes' },
}
