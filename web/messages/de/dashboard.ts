import type { Texts } from '#web/messages/texts.ts'

export const dashboard: Texts['dashboard'] = {
  heading: 'ÜBERSICHT',
  balance: 'Token-Guthaben',
  balanceEmpty: (symbol) => `Kaufen Sie Ihre ersten ${symbol}`,
  balanceEmptyText: (price, symbol) =>
    `Ein ${symbol} kostet jetzt ${price}. Wählen Sie einen Betrag, zahlen Sie mit Ihrer Kryptowährung ` +
    'und sehen Sie hier zu, wie die Token eintreffen.',
  balanceNone: (symbol) => `Sie besitzen noch keine ${symbol}`,
  balanceNever: (symbol) => `Sie besitzen keine ${symbol}`,
  balanceNoneText: {
    NOT_STARTED: 'Die ersten können Sie kaufen, sobald der Verkauf öffnet.',
    PAUSED: 'Die ersten können Sie kaufen, sobald der Verkauf weitergeht.',
    ENDED: 'Mit diesem Konto wurde im Presale nichts gekauft.',
  },
  buy: (symbol) => `${symbol} kaufen`,
  finalPrice: 'Letzter Preis',
  endedText: 'Der Presale ist beendet.',
  stageTokens: 'Token in dieser Phase',
  sold: 'Bisher verkauft',
  left: 'Noch erhältlich',
  soldShare: (share) => `${share} verkauft`,
  noneSold: 'Noch keine',
  endsIn: (stage) => `${stage} endet in`,
  startsIn: 'Der Presale beginnt in',
  nextStageIn: 'Die nächste Phase beginnt in',
  notStarted: 'Der Presale hat noch nicht begonnen',
  nextStageNotStarted: 'Die nächste Phase hat noch nicht begonnen',
  notStartedText: 'Phase und Preis stehen hier, sobald er öffnet.',
  paused: 'Der Presale ist unterbrochen',
  pausedText: 'Zurzeit kann nicht gekauft werden. Ihr Guthaben ist davon nicht betroffen.',
  failed: 'Der Verkauf konnte nicht geladen werden',
  failedText: 'Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  chart: {
    title: 'Preis',
    periods: { day: 'Tag', week: 'Woche', month: 'Monat', all: 'Alle' },
    period: 'Zeitraum',
    label: (symbol, from, to) =>
      `Preis von ${symbol}, von ${from} bis ${to}. Mit den Pfeiltasten lesen Sie einzelne Werte.`,
    point: (price, date) => `${price}, ${date}`,
    empty: 'In diesem Zeitraum hat sich noch kein Preis geändert.',
    failed: 'Der Preisverlauf konnte nicht geladen werden',
  },
  recent: 'Letzte Transaktionen',
  recentAll: 'Alle ansehen',
}
