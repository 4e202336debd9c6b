/** Texts of what is offered: the price ladder, the release of tokens, and the risk. */
export const offer = {
  ladder: {
    label: (symbol: string) =>
      `The stages of the sale: width is ${symbol}, height is price. Use the arrow keys to read each stage.`,
    strip: (symbol: string) => `Where the sale of ${symbol} stands.`,
    legend: 'Legend',
    axes: 'Width is tokens, height is price',
    filled: 'sold',
    here: 'you are here',
    purchases: (count: number) => (count === 1 ? 'your purchase' : `your ${count} purchases`),
    wanted: 'what you would buy now',
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
}
