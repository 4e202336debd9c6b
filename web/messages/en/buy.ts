/** Texts of the buy page. The labels of the bonuses are those of specification section 9. */
export const buy = {
  heading: (symbol: string) => `Buy ${symbol}`,
  /** `tokens` is `1` for a price that one token can be bought at. */
  price: (dollars: string, tokens: string, symbol: string) =>
    tokens === '1' ? `one ${symbol} costs ${dollars}` : `${dollars} for ${tokens} ${symbol}`,
  exactPrice: (price: string, symbol: string) => `Exactly ${price} for one ${symbol}`,
  form: 'Purchase',
  spend: 'I want to spend',
  buyWith: 'I want to buy with',
  token: 'Payment token',
  empty: "Can't be empty",
  tooLittle: (min: string) => `Can't spend less than ${min}`,
  tooMuch: (max: string) => `Can't spend more than ${max}`,
  limits: (min: string, max: string | null) => {
    if (max === null) return `From ${min}`
    return min === max ? `Only ${min}` : `From ${min} to ${max}`
  },
  lastRemainder:
    'This stage is almost sold out: you can spend less than the usual minimum, but no more than ' +
    'what is left.',
  noPrice: (symbol: string) =>
    `There is no price for ${symbol} at the moment; it is being fetched again. Wait a minute, or ` +
    'choose another token.',
  tooLittleLeft: (symbol: string) =>
    `What is left of this stage is too little to pay in ${symbol}: choose another token.`,
  unavailable: (symbol: string) =>
    `You cannot pay with ${symbol} at the moment. Wait a minute, or choose another token.`,
  bonuses: {
    title: 'Eligible Bonuses',
    total: 'Total Bonus',
    about: 'About the total bonus',
    explanation:
      'Each bonus is a share of the tokens you buy. All of them add up and are credited with your ' +
      'tokens. They reward buying early and buying more, and come out of the tokens of this sale.',
    none: 'No bonus for this purchase yet.',
    failed: 'The bonuses could not be calculated just now. They are added when you pay.',
    percent: (percent: string) => `+${percent}%`,
    labels: {
      base_bonus: 'Stage Bonus',
      spending_bonus: '$ Amount Purchase Bonus',
      limited_time_bonus: 'Limited Time Bonus',
      limited_time_signup_bonus: 'Signup Bonus',
      first_purchase_bonus: 'First Purchase Bonus',
      tiered_fiat_bonus: 'Payment Token Bonus',
    },
  },
  summary: {
    title: 'Summary',
    quote: (seconds: number) => `Quote updates in ${seconds}s`,
    quoteUpdating: 'Updating the quote',
    send: 'You send ',
    for: ' for ',
    price: 'Price',
    tokens: 'Tokens',
    bonus: 'Bonus',
    total: 'Total',
    /** Of tokens, while their bonuses are unknown. */
    atLeast: (tokens: string) => `at least ${tokens}`,
    priceFrom: {
      feeds: (coin: string) => `The price of ${coin} is what public markets agree on.`,
      own: (coin: string, seller: string) => `The price of ${coin} comes from ${seller}.`,
      fixed: (coin: string, seller: string) => `The price of ${coin} was set by ${seller}.`,
      sandbox: 'Prices of coins are simulated.',
    },
    testNetwork: (network: string) =>
      `This is the test network ${network}: its coins are worth nothing. Send no real ones.`,
    unknown: 'Enter an amount to see what you get.',
    tooLittle: (min: string) => `The minimum is ${min}.`,
    tooMuch: (max: string) => `The maximum is ${max}.`,
    noRoom: 'There is no quote for this amount.',
    noPrice: (symbol: string) => `What you get is shown once there is a price for ${symbol}.`,
  },
  pay: 'Pay',
  payHint:
    'Nothing is charged yet. You get an address to pay to, and this price is held for a while.',
  /** The deal in short, if there is no room for the sentence. */
  inShort: (usd: string, tokens: string) => `${usd} → ${tokens}`,
  made: {
    confirming: 'Your payment has arrived, and is being confirmed.',
    credited: (tokens: string) => `${tokens} are yours.`,
    again: 'Buy more',
  },
  created: 'Successfully created transaction',
  createFailed: 'Error creating transaction',
  ended: 'Presale has Ended',
  endedText: (symbol: string) =>
    `No more ${symbol} can be bought here. What you bought stays listed below.`,
  notStarted: 'Presale has not started',
  notStartedText: 'Come back when it opens. Nothing can be reserved before then.',
  betweenStages: 'The next stage has not started',
  betweenStagesText: 'Come back when it opens.',
  paused: 'The presale is paused',
  pausedText:
    'Buying is paused for a while; this page updates by itself when buying resumes. Payments you ' +
    'have already sent still count.',
  failed: 'The sale could not be loaded',
  failedText: 'Check your connection and try again.',
}
