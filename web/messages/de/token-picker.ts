import type { Messages } from '#web/messages/en.ts'

export const tokenPicker: Messages['tokenPicker'] = {
  title: 'Zahlungstoken wählen',
  search: 'Nach Name, Blockchain oder Kürzel suchen',
  list: 'Zahlungstoken',
  on: (chain) => `auf ${chain}`,
  bonus: (percentage) => `+${percentage} %`,
  bonusWord: 'Bonus',
  nothingFound:
    'Kein Zahlungstoken passt. Versuchen Sie es mit einem anderen Namen, einer anderen Blockchain oder einem anderen Kürzel.',
  presets: 'Beträge mit Bonus',
}
