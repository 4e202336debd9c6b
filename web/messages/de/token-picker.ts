import type { Texts } from '#web/messages/texts.ts'

export const tokenPicker: Texts['tokenPicker'] = {
  title: 'Zahlungstoken wählen',
  search: 'Nach Name, Blockchain oder Kürzel suchen',
  list: 'Zahlungstoken',
  on: (chain) => `auf ${chain}`,
  from: (usd) => `ab ${usd}`,
  bonus: (percentage) => `+${percentage}\u00A0%`,
  bonusWord: 'Bonus',
  nothingFound:
    'Kein Zahlungstoken passt. Versuchen Sie es mit einem anderen Namen, einer anderen Blockchain oder einem anderen Kürzel.',
  presets: 'Beträge mit Bonus',
}
