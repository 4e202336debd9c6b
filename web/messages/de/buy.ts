import type { Texts } from '#web/messages/texts.ts'

export const buy: Texts['buy'] = {
  heading: (symbol) => `${symbol} kaufen`,
  price: (dollars, tokens, symbol) =>
    tokens === '1' ? `ein ${symbol} kostet ${dollars}` : `${dollars} für ${tokens} ${symbol}`,
  exactPrice: (price, symbol) => `Genau ${price} für einen ${symbol}`,
  form: 'Kauf',
  spend: 'Ich möchte ausgeben',
  buyWith: 'Ich möchte bezahlen mit',
  token: 'Zahlungstoken',
  empty: 'Bitte ausfüllen',
  tooLittle: (min) => `Der Mindestbetrag ist ${min}`,
  tooMuch: (max) => `Der Höchstbetrag ist ${max}`,
  limits: (min, max) => {
    if (max === null) return `Ab ${min}`
    return min === max ? `Nur ${min}` : `Von ${min} bis ${max}`
  },
  lastRemainder:
    'In dieser Phase ist nur noch ein kleiner Rest übrig: Sie können weniger ausgeben als den üblichen ' +
    'Mindestbetrag, aber nicht mehr, als der Rest kostet.',
  noPrice: (symbol) =>
    `Für ${symbol} liegt gerade kein Kurs vor; er wird neu abgerufen. Warten Sie eine Minute oder ` +
    'wählen Sie einen anderen Token.',
  tooLittleLeft: (symbol) =>
    `Von dieser Phase ist weniger übrig, als in ${symbol} bezahlt werden kann: Wählen Sie einen ` +
    'anderen Token.',
  unavailable: (symbol) =>
    `Mit ${symbol} kann gerade nicht bezahlt werden. Warten Sie eine Minute oder wählen Sie einen ` +
    'anderen Token.',
  bonuses: {
    title: 'Ihre Boni',
    total: 'Bonus gesamt',
    about: 'Zum Gesamtbonus',
    explanation:
      'Jeder Bonus ist ein Anteil der Token, die Sie kaufen. Alle Boni werden zusammengezählt und ' +
      'gemeinsam mit Ihren Token gutgeschrieben. Es gibt sie, damit früh und mehr gekauft wird, und ' +
      'sie kommen aus den Token dieses Verkaufs.',
    none: 'Für diesen Kauf gibt es noch keinen Bonus.',
    failed:
      'Die Boni konnten gerade nicht berechnet werden. Sie werden beim Bezahlen hinzugerechnet.',
    percent: (percent) => `+${percent}\u00A0%`,
    labels: {
      base_bonus: 'Phasenbonus',
      spending_bonus: 'Bonus auf den Kaufbetrag in $',
      limited_time_bonus: 'Zeitlich begrenzter Bonus',
      limited_time_signup_bonus: 'Bonus zur Registrierung',
      first_purchase_bonus: 'Bonus auf den ersten Kauf',
      tiered_fiat_bonus: 'Bonus auf den Zahlungstoken',
    },
  },
  summary: {
    title: 'Übersicht',
    quote: (seconds) => `Neues Angebot in ${seconds} s`,
    quoteUpdating: 'Das Angebot wird aktualisiert',
    send: 'Sie senden ',
    for: ' für ',
    price: 'Preis',
    tokens: 'Token',
    bonus: 'Bonus',
    total: 'Gesamt',
    atLeast: (tokens) => `mindestens ${tokens}`,
    priceFrom: {
      feeds: (coin) => `Der Preis von ${coin} ist der, auf den sich öffentliche Märkte einigen.`,
      own: (coin, seller) => `Den Preis von ${coin} teilt ${seller} mit.`,
      fixed: (coin, seller) => `Den Preis von ${coin} hat ${seller} festgesetzt.`,
      sandbox: 'Die Kurse sind simuliert.',
    },
    testNetwork: (network) =>
      `Das ist das Testnetz ${network}: Seine Coins sind nichts wert. Senden Sie keine echten.`,
    unknown: 'Geben Sie einen Betrag ein, um zu sehen, was Sie erhalten.',
    tooLittle: (min) => `Der Mindestbetrag ist ${min}.`,
    tooMuch: (max) => `Der Höchstbetrag ist ${max}.`,
    noRoom: 'Für diesen Betrag gibt es kein Angebot.',
    noPrice: (symbol) => `Was Sie erhalten, steht hier, sobald es einen Kurs für ${symbol} gibt.`,
  },
  pay: 'Bezahlen',
  payHint:
    'Noch wird nichts berechnet. Sie erhalten eine Adresse für Ihre Zahlung und haben etwas Zeit zu diesem Preis.',
  inShort: (usd, tokens) => `${usd} → ${tokens}`,
  made: {
    confirming: 'Ihre Zahlung ist eingegangen und wird bestätigt.',
    credited: (tokens) => `${tokens} gehören Ihnen.`,
    again: 'Mehr kaufen',
  },
  created: 'Die Transaktion wurde angelegt',
  createFailed: 'Die Transaktion konnte nicht angelegt werden',
  ended: 'Der Presale ist beendet',
  endedText: (symbol) =>
    `Hier lassen sich keine ${symbol} mehr kaufen. Ihre bisherigen Käufe bleiben unten aufgeführt.`,
  notStarted: 'Der Presale hat noch nicht begonnen',
  notStartedText: 'Kommen Sie wieder, sobald er öffnet. Vorher lässt sich nichts reservieren.',
  betweenStages: 'Die nächste Phase hat noch nicht begonnen',
  betweenStagesText: 'Kommen Sie wieder, sobald sie öffnet.',
  paused: 'Der Presale ist unterbrochen',
  pausedText:
    'Zurzeit kann nicht gekauft werden; diese Seite aktualisiert sich, sobald es wieder möglich ' +
    'ist. Zahlungen, die Sie bereits gesendet haben, werden angerechnet.',
  failed: 'Der Verkauf konnte nicht geladen werden',
  failedText: 'Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
}
