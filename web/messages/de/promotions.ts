import type { Texts } from '#web/messages/texts.ts'

export const promotions: Texts['promotions'] = {
  heading: 'Aktionen',
  alt: (key) => `Kaufen: ${key.replaceAll('-', ' ')}`,
  empty: 'Zurzeit gibt es keine Aktion',
  emptyText: 'Für jeden Kauf gilt der Preis der Phase.',
  emptyAction: 'Token kaufen',
  failed: 'Die Aktionen konnten nicht geladen werden',
}
