/** The sale page's own texts at /info. What the sale file says is shown beside them. */
export const salePage = {
  title: 'Info',
  /** Where the sale file tells nothing of the project. */
  fallback: (name: string, symbol: string) => [
    {
      title: 'How it works',
      paragraphs: [
        `${name} sells ${symbol} before it is traded, in stages with a price and a supply of their own.`,
      ],
    },
    {
      title: 'How you buy',
      paragraphs: [
        'Create an account, choose an amount and the cryptocurrency you pay in, and send the payment to the address shown.',
      ],
    },
    {
      title: 'What you get',
      paragraphs: [
        `${symbol} at the price at that moment, with every bonus shown before you pay. Your balance is shown on the dashboard.`,
      ],
    },
  ],
  register: 'Create an account',
  login: 'Login',
  failed: 'The page could not be loaded',
  buy: (symbol: string) => `Buy ${symbol}`,
  dashboard: 'Go to your dashboard',
  howPriceIsSet: 'How the price is set',
  endedText: 'Nothing can be bought any more.',
  ladder: {
    title: 'The whole sale in one picture',
    intro: (symbol: string) =>
      `Each stage has its own supply, and its own price in dollars. Where a step slopes, the price changes with every ${symbol} sold, not with time.`,
  },
  buying: {
    title: 'How buying works',
    steps: (symbol: string) => [
      {
        title: 'Create an account',
        text: 'With your name, your email and your nationality. It costs nothing.',
      },
      {
        title: 'Choose a coin and an amount',
        text: 'The price, every bonus and the total are shown before you decide.',
      },
      {
        title: 'Send it from your own wallet',
        text: 'To an address made for your purchase alone, with the price held for you meanwhile.',
      },
      {
        title: `See your ${symbol} on the dashboard`,
        text: 'Once the network has confirmed the payment, usually within minutes.',
      },
    ],
  },
  supply: {
    title: 'How the supply is divided',
    label: 'For',
    share: 'Share of the supply',
    percent: (figure: string) => `${figure}%`,
  },
  /** Of a sale that is over. */
  proof: 'See the proof',
  release: {
    title: 'When tokens are released',
    example: (tokens: string, symbol: string) => `An example, for ${tokens} ${symbol}:`,
  },
  facts: 'The presale in figures',
  seller: {
    title: 'Who sells',
    name: 'Seller',
    place: 'Place',
    registration: 'Register number',
    contract: (symbol: string) => `Contract of ${symbol}`,
    notDeployed: 'Not deployed yet',
    explorer: 'See it on the explorer',
    questions: 'Questions',
  },
  papers: { title: 'Documents', dated: (date: string) => `Version of ${date}` },
  questions: 'Questions and answers',
  risks: 'Risks in two minutes',
}
