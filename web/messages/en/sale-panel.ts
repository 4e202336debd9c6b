/** The state of the sale in a few lines: beside the forms for visitors, and at the top of /info. */
export const salePanel = {
  heading: (name: string) => `The ${name} presale`,
  label: 'The sale now',
  stageOf: (number: number, count: number) => `Stage ${number} of ${count}`,
  open: 'open now',
  paused: 'paused',
  notBegun: 'The presale has not started yet',
  nextStage: 'The next stage has not started yet',
  ended: 'The presale has ended',
  /** After the price, smaller. */
  forTokens: (tokens: string, symbol: string) => `for ${tokens} ${symbol}`,
  pausedText: 'Nothing can be bought for a while. What was bought is not affected.',
  rises: (to: string) => `Rises to ${to} as this stage sells.`,
  risesThen: (to: string, price: string, stage: string) =>
    `Rises to ${to} as this stage sells, then ${price} in ${stage}.`,
  after: (price: string, stage: string) => `Then ${price} in ${stage}.`,
  last: 'This is the last stage.',
  startsAt: (stage: string) => `The price at which ${stage} opens.`,
  soldOfAll: (sold: string, total: string, symbol: string) => `${sold} of ${total} ${symbol} sold`,
  left: (tokens: string, symbol: string, share: string) =>
    `${tokens} ${symbol} left in this stage · ${share} sold`,
  closes: (date: string) => `Closes ${date} UTC`,
  opens: (date: string) => `Opens ${date} UTC`,
  timeLeft: {
    days: (days: number, hours: number) => `in ${days} d ${hours} h`,
    hours: (hours: number, minutes: number) => `in ${hours} h ${minutes} min`,
    minutes: (minutes: number) => `in ${minutes} min`,
    soon: 'in a moment',
  },
  /** The sum that the sale has to raise. */
  softCap: {
    goal: (goal: string) => `The sale has to raise ${goal}.`,
    progress: (raised: string, goal: string) =>
      `The sale has to raise ${goal}, and has raised ${raised} so far.`,
    reached: (goal: string) => `The sale has raised the ${goal} that it needs.`,
    below: 'If it raises less, its operators decide whether everyone gets a refund.',
    missed: 'It has ended below that: its operators decide whether everyone gets a refund.',
    closed: (goal: string) =>
      `The sale has not raised the ${goal} that it needs, and every buyer gets their money back.`,
  },
  more: 'See the whole sale',
}
