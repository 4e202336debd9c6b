import type { Messages } from '#web/messages/en.ts'

export const referrals: Messages['referrals'] = {
  heading: 'Empfehlungen',
  cardTitle: 'Empfehlen und Prämien verdienen',
  offer: (earn, spend) =>
    `Verdienen Sie ${earn} je Empfehlung, sobald die geworbene Person ${spend} oder mehr ausgibt`,
  noOffer:
    'Empfehlungen bringen zurzeit keine Prämie. Wer sich über Ihren Link registriert, zählt dennoch zu Ihren Empfehlungen.',
  link: 'Ihr Empfehlungslink',
  shareText: (earn) => `Mit meinem Empfehlungslink gibt es ${earn}`,
  facebook: 'Teilen',
  twitter: 'Twittern',
  telegram: 'Posten',
  native: 'Mit einer anderen App teilen',
  on: (action, network) => `${action} auf ${network}`,
  statsTitle: 'Geworbene Freunde',
  referred: 'Geworben',
  earned: 'Verdient',
  howTitle: 'So funktioniert es',
  steps: (earn, spend) => [
    { title: 'Link teilen', text: 'Senden Sie Ihren Empfehlungslink an Freunde.' },
    {
      title: 'Kaufen lassen',
      text: `Jemand registriert sich darüber und gibt ${spend} oder mehr aus.`,
    },
    {
      title: `${earn} verdienen`,
      text: 'Die Prämie wird Ihnen in Token gutgeschrieben, einmal je geworbener Person.',
    },
  ],
  statsFailed: 'Ihre Empfehlungen konnten nicht geladen werden',
  offerFailed: 'Die Prämie für Empfehlungen konnte nicht geladen werden',
  linkFailed: 'Ihr Empfehlungslink konnte nicht geladen werden',
}

export const promotions: Messages['promotions'] = {
  heading: 'Aktionen',
  alt: (key) => `Kaufen: ${key.replaceAll('-', ' ')}`,
  empty: 'Zurzeit gibt es keine Aktion',
  emptyText: 'Für jeden Kauf gilt der Preis der Phase.',
  emptyAction: 'Token kaufen',
  failed: 'Die Aktionen konnten nicht geladen werden',
}
