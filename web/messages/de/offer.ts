import type { Texts } from '#web/messages/texts.ts'

export const offer: Texts['offer'] = {
  ladder: {
    label: (symbol) =>
      `Die Phasen des Verkaufs: Die Breite steht für ${symbol}, die Höhe für den Preis. Mit den Pfeiltasten lesen Sie jede Phase.`,
    strip: (symbol) => `So weit ist der Verkauf von ${symbol}.`,
    legend: 'Legende',
    axes: (tokens) => `Breite: Token, Höhe: Preis für ${tokens}`,
    filled: 'verkauft',
    here: 'hier steht der Verkauf',
    purchases: (count) => (count === 1 ? 'Ihr Kauf' : `Ihre ${count} Käufe`),
    wantedShare: (usd, share, stage) =>
      `Für ${usd} gibt es ${share.replaceAll('%', '\u00A0%')} von ${stage}.`,
    soldOf: (share, stage) => `Von ${stage} sind ${share} verkauft.`,
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
    fromUntil: (from, to) => `${from} – ${to}`,
    from: (from) => `ab ${from}`,
    until: (to) => `bis ${to}`,
    soldOut: (from) => `ab ${from}, ausverkauft`,
  },
  release: {
    line: {
      atOnce: (date) => `Freigabe ${date === null ? 'zum Start' : `am ${date}`}, alles auf einmal.`,
      atOnceAfter: (months) => `Freigabe ${months} nach dem Start, alles auf einmal.`,
      over: ({ months, date, first, wait }) =>
        `Freigabe in Schritten, verteilt auf ${months} ab ${date === null ? 'dem Start' : date}` +
        (first === null ? '' : `, beginnend mit ${first}`) +
        (wait === null
          ? '.'
          : first === null
            ? `, beginnend ${wait} nach dem Start.`
            : `; der Rest ab ${wait} nach dem Start.`),
    },
    months: (count) => (count === 1 ? '1 Monat' : `${count} Monate`),
    percent: (figure) => `${figure}\u00A0%`,
    next: 'Nächste Freigabe',
    first: 'Erste Freigabe',
    all: 'Alles freigegeben',
    done: 'freigegeben',
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
    calendar: 'Alle Freigaben',
    count: (done, all) => `${done} von ${all} freigegeben`,
    failed: 'Ihre Freigaben konnten nicht geladen werden',
  },
  risk: { more: 'Risiken in zwei Minuten' },
}
