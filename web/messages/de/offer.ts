import type { Texts } from '#web/messages/texts.ts'

export const offer: Texts['offer'] = {
  ladder: {
    label: (symbol) =>
      `Die Phasen des Verkaufs: Die Breite steht für ${symbol}, die Höhe für den Preis. Mit den Pfeiltasten lesen Sie jede Phase.`,
    strip: (symbol) => `So weit ist der Verkauf von ${symbol}.`,
    legend: 'Legende',
    axes: 'Breite: Token, Höhe: Preis',
    filled: 'verkauft',
    here: 'hier steht der Verkauf',
    purchases: (count) => (count === 1 ? 'Ihr Kauf' : `Ihre ${count} Käufe`),
    wanted: 'was Sie jetzt kaufen würden',
    notToScale: 'größer gezeichnet, um sichtbar zu sein',
    statuses: {
      upcoming: 'noch nicht geöffnet',
      active: 'jetzt geöffnet',
      paused: 'unterbrochen',
      ended: 'beendet',
    },
    priceFor: (price, tokens) => `${price} für ${tokens}`,
    priceNow: (price) => `jetzt ${price}`,
    sold: (share) => `${share} verkauft`,
    caption: 'Alle Phasen',
    captionNote: 'Daten in UTC.',
    columns: {
      stage: 'Phase',
      open: 'Geöffnet',
      tokens: (symbol) => `Token (${symbol})`,
      price: (tokens) => `Preis für ${tokens}`,
      sold: 'Verkauft',
    },
    until: (from, to) => `${from} – ${to}`,
    from: (from) => `ab ${from}`,
  },
}
