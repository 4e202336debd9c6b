import type { Texts } from '#web/messages/texts.ts'

export const referrals: Texts['referrals'] = {
  heading: 'Empfehlungen',
  cardTitle: 'Empfehlen und verdienen',
  offer: (earn, spend) =>
    `Verdienen Sie ${earn} je Empfehlung, sobald die geworbene Person ${spend} oder mehr ausgibt`,
  noOffer:
    'Empfehlungen bringen zurzeit keine Prämie. Wer sich über Ihren Link registriert, zählt dennoch zu Ihren Empfehlungen.',
  link: 'Ihr Empfehlungslink',
  shareText: (earn) =>
    earn === null ? 'Mein Empfehlungslink' : `Mit meinem Empfehlungslink gibt es ${earn}`,
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
  stepsTitle: 'In drei Schritten',
  pageSteps: (earn, spend) => [
    { title: 'Sie teilen', text: 'Ihr Link führt Freunde zur Registrierung.' },
    { title: 'Jemand kauft', text: `Ab Käufen für ${spend} gibt es die Prämie.` },
    {
      title: 'Sie verdienen',
      text: `${earn} in Token werden Ihnen gutgeschrieben, einmal je geworbener Person.`,
    },
  ],
  nobodyYet:
    'Über Ihren Link hat sich noch niemand registriert. Wer als Erstes kommt, erscheint hier.',
  someCame: 'Gezählt wird ab der Registrierung. Die Prämie folgt auf die Käufe.',
  statsFailed: 'Ihre Empfehlungen konnten nicht geladen werden',
  offerFailed: 'Die Prämie für Empfehlungen konnte nicht geladen werden',
  linkFailed: 'Ihr Empfehlungslink konnte nicht geladen werden',
}
