import type { Texts } from '#web/messages/texts.ts'

export const transactionList: Texts['transactionList'] = {
  filter: {
    label: 'Anzeigen',
    options: { all: 'Alle', open: 'Offen', done: 'Erledigt', refund: 'Erstattungen' },
    none: {
      open: 'Nichts wartet auf eine Zahlung oder ihre Bestätigung.',
      done: 'Noch ist nichts abgeschlossen.',
      refund: 'Ihnen steht keine Erstattung zu.',
    },
  },
  range: (first, last, total) =>
    first === last ? `${first} von ${total}` : `${first}–${last} von ${total}`,
  arrived: (share) =>
    share === '50%' ? 'zur Hälfte da' : `${share.replaceAll('%', '\u00A0%')} eingegangen`,
  timeLeft: (hours, minutes) =>
    hours > 0 ? `noch ${hours} Std. ${minutes} Min.` : `noch ${minutes} Min.`,
  timeOver: 'die Zeit ist um',
  confirmations: (confirmations, required) => `${confirmations} von ${required} Bestätigungen`,
  held: 'wird geprüft',
  refundDue: 'Erstattung offen',
  refundUnderWay: 'Erstattung läuft',
  refunded: 'erstattet',
  nothingArrived: 'Nichts eingegangen',
  of: 'von',
  value: 'Wert',
  valueWhy: (usd, price, symbol, bonus) =>
    `${usd} zum Preis dieses Kaufs, ${price} für einen ${symbol}` +
    (bonus === null ? '' : `; davon sind ${bonus} Bonus`),
  rounded: 'Diese Beträge sind gerundet; in Ihrem Guthaben zählt jede Stelle.',
  csv: {
    download: 'Als CSV laden',
    failed: 'Die Liste konnte nicht heruntergeladen werden',
    fileName: 'transaktionen',
    headings: {
      number: 'Nummer',
      type: 'Art',
      status: 'Status',
      made: 'Angelegt (UTC)',
      completed: 'Abgeschlossen (UTC)',
      coin: 'Währung',
      network: 'Netzwerk',
      asked: 'Zu zahlen',
      askedUsd: 'Zu zahlen (USD)',
      arrived: 'Eingegangen',
      creditedUsd: 'Angerechnet (USD)',
      price: 'Tokenpreis (USD)',
      tokens: 'Gekaufte Token',
      bonus: 'Bonus-Token',
      total: 'Token insgesamt',
      token: 'Token',
      refunds: 'Erstattungen',
      hashes: 'Zahlungen',
    },
  },
}
