/** Texts of pages before any script has run. Only the server's rendering has them. */
export const staticPage = {
  noScriptTitle: 'This page needs JavaScript',
  noScriptText:
    'It is turned off in your browser. Turn it on to log in and buy; these pages can be read without it.',
  /** What search results and link previews say about a page; the first if a page has none. */
  descriptions: {
    dashboard: (name: string, symbol: string) =>
      `The presale of ${name}: buy ${symbol} in priced stages and pay in a cryptocurrency of your choice.`,
    login: (name: string) =>
      `Log in to the ${name} presale to buy, follow your payments and see your balance.`,
    register: (name: string, symbol: string) =>
      `Create an account for the ${name} presale and buy ${symbol} in a few minutes.`,
    info: (name: string, symbol: string) =>
      `What the ${name} presale is: its stages, the supply of ${symbol}, and when you get your tokens.`,
    proof: (name: string, symbol: string) =>
      `Check that your purchase is in the list of who owns ${symbol} of the ${name} presale.`,
    terms: (name: string) => `The terms on which ${name} sells its token before it is traded.`,
    privacyPolicy: (name: string) =>
      `What the ${name} presale stores about you, what for and how long, and what your rights are.`,
  },
}
