export const tokenPicker = {
  title: 'Choose a payment token',
  search: 'Search by name, chain or symbol',
  list: 'Payment tokens',
  on: (chain: string) => `on ${chain}`,
  from: (usd: string) => `from ${usd}`,
  bonus: (percentage: string) => `+${percentage}%`,
  bonusWord: 'bonus',
  nothingFound: 'No payment token matches. Try another name, chain or symbol.',
  presets: 'Amounts with a bonus',
}
