export const tokenPicker = {
  title: 'Choose a payment token',
  search: 'Search by name, chain or symbol',
  list: 'Payment tokens',
  on: (chain: string) => `on ${chain}`,
  bonus: (percentage: string) => `+${percentage}% bonus`,
  nothingFound: 'No payment token matches. Try another name, chain or symbol.',
  change: (label: string, token: string) => `${label}: ${token}. Change`,
  presets: 'Amounts with a bonus',
  preset: (amount: string, percentage: string) => `${amount}, ${percentage}% bonus`,
}
