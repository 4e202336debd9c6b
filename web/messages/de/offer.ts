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
  release: {
    line: {
      atOnce: 'Freigabe zum Start, alles auf einmal.',
      atOnceOn: (date) => `Freigabe am ${date}, alles auf einmal.`,
      over: (months) => `Freigabe über ${months} ab dem Start.`,
      overFrom: (months, date) => `Freigabe über ${months} ab ${date}.`,
      firstOver: (months, first) => `Freigabe über ${months} ab dem Start, zuerst ${first}.`,
      firstOverFrom: (months, date, first) =>
        `Freigabe über ${months} ab ${date}, zuerst ${first}.`,
    },
    months: (count) => (count === 1 ? '1 Monat' : `${count} Monate`),
    percent: (figure) => `${figure} %`,
    next: 'Nächste Freigabe',
    first: 'Erste Freigabe',
    all: 'Alles freigegeben',
    atLaunch: 'Zum Start',
    monthsAfter: (months) => `${months} danach`,
    amount: (tokens, symbol, percent) => `${tokens} ${symbol}, ${percent}`,
    locked: (tokens, symbol) =>
      `${tokens} ${symbol} sind noch nicht freigegeben und können noch nicht verkauft werden.`,
    unlocked: (tokens, symbol) => `Alle ${tokens} ${symbol} sind freigegeben.`,
    noDate: 'Der Tag des Starts steht noch nicht fest.',
    chart: (symbol) => `Wie viele ${symbol} freigegeben sind, nach Monaten`,
    columns: { when: 'Wann', part: 'Dann frei', free: 'Insgesamt frei' },
    utc: 'Daten in UTC.',
  },
  risk: { more: 'Risiken in zwei Minuten' },
}
