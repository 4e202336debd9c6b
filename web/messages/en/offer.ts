/** What the line on a release in several parts is made of. */
export interface ReleaseLineWords {
  months: string
  date: string | null
  first: string | null
  wait: string | null
}

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
    wantedShare: (usd: string, share: string, stage: string) =>
      `Your ${usd} buys ${share} of ${stage}.`,
    soldOf: (share: string, stage: string) => `${share} of ${stage} is sold.`,
    notToScale: 'drawn larger, so that it can be seen',
    statuses: { upcoming: 'not open yet', active: 'open now', paused: 'paused', ended: 'over' },
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
    fromUntil: (from: string, to: string) => `${from} – ${to}`,
    from: (from: string) => `from ${from}`,
    until: (to: string) => `until ${to}`,
    soldOut: (from: string) => `from ${from}, sold out`,
  },
  release: {
    /** The plan in one line. `date` is null while the day of the launch is not set. */
    line: {
      atOnce: (date: string | null) =>
        date === null ? 'Released at launch, all at once.' : `Released on ${date}, all at once.`,
      atOnceAfter: (months: string) => `Released ${months} after launch, all at once.`,
      /** `first` is released at the start, if there is any; `wait` is a longer pause. */
      over: ({ months, date, first, wait }: ReleaseLineWords) =>
        `Released in steps within ${months} ${date === null ? 'after launch' : `from ${date}`}` +
        (first === null ? '' : `, starting with ${first}`) +
        (wait === null
          ? '.'
          : first === null
            ? `, starting ${wait} after launch.`
            : `; the rest starts ${wait} after launch.`),
    },
    months: (count: number) => (count === 1 ? '1 month' : `${count} months`),
    percent: (figure: string) => `${figure}%`,
    next: 'Next release',
    first: 'First release',
    all: 'All released',
    done: 'released',
    atLaunch: 'At launch',
    monthsAfter: (months: string) => `${months} after`,
    amount: (tokens: string, symbol: string, percent: string) => `${tokens} ${symbol}, ${percent}`,
    locked: (tokens: string, symbol: string) =>
      `${tokens} ${symbol} are not released and cannot be sold yet.`,
    unlocked: (tokens: string, symbol: string) => `All ${tokens} ${symbol} are released.`,
    noDate: 'The day of the launch is not set.',
    chart: (symbol: string) => `How many ${symbol} are released, by month`,
    columns: { when: 'When', part: 'Released then', free: 'Released in total' },
    utc: 'Dates are in UTC.',
    /** Of one purchase, and how many of its releases have been. */
    calendar: 'Release by release',
    count: (done: number, all: number) => `${done} of ${all} released`,
    failed: 'Your releases could not be loaded',
  },
  risk: { more: 'Risks in two minutes' },
}
