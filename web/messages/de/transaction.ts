import type { Texts } from '#web/messages/texts.ts'

const goesBack = {
  unconfirmed: 'wird zur Erstattung vorgemerkt, sobald das Netzwerk den Eingang bestätigt hat',
  noted: 'ist zur Erstattung vorgemerkt',
  sent: 'wurde an Sie zurückgesendet',
}

export const transaction: Texts['transaction'] = {
  listTitle: 'Transaktionen',
  pages: 'Seiten der Transaktionen',
  empty: 'Keine Transaktionen',
  emptyHint: 'Hier erscheint, was Sie kaufen, mit Status und Token.',
  listFailed: 'Die Transaktionen konnten nicht geladen werden',
  listFailedHint: 'Ihre Käufe sind sicher; nur diese Liste konnte nicht geladen werden.',
  statuses: {
    completed: 'Abgeschlossen',
    expired: 'Abgelaufen',
    failed: 'Fehlgeschlagen',
    pending: 'Ausstehend',
    processing: 'In Bearbeitung',
  },
  withdrawn: 'Widerrufen',
  refundDue: 'Erstattung offen',
  refundUnderWay: 'Erstattung läuft',
  states: {
    arrived: (percent) => `${percent.replaceAll('%', '\u00A0%')} eingegangen`,
    confirmations: (confirmations, required) => `${confirmations} von ${required} Bestätigungen`,
    held: 'Wird geprüft',
  },
  types: { purchase: 'Kauf', referral: 'Empfehlung' },
  pay: 'Bezahlen',
  details: 'Details',

  title: 'Transaktion',
  loading: 'Die Transaktion wird geladen',
  notFound: 'Diese Transaktion gibt es nicht',
  notFoundHint: 'Der Link ist unvollständig, oder sie gehört zu einem anderen Konto.',
  failedToLoad: 'Die Transaktion konnte nicht geladen werden',
  failedToLoadHint: 'Nichts ist verloren. Versuchen Sie es gleich noch einmal.',

  amount: 'Zu zahlender Betrag',
  restAmount: 'Zu zahlender Betrag (Rest)',
  token: 'Zahlungstoken',
  inDollars: (usd) => `≈ ${usd}`,
  address: 'Wallet-Adresse',
  addressHint: 'Diese Adresse gehört nur zu Ihrem Kauf. In unserer E-Mail steht dieselbe.',
  warning: (symbol, network) =>
    `Senden Sie nur ${symbol} und nur über das Netzwerk ${network}. Andere Währungen oder ${symbol} ` +
    'über ein anderes Netzwerk können nicht gutgeschrieben werden und gehen möglicherweise verloren.',
  testNetwork: (network) =>
    `Das ist das Testnetz ${network}: Seine Coins sind nichts wert. Senden Sie keine echten.`,
  onNetwork: (network) => `über das Netzwerk ${network}`,
  openInWallet: 'In der Wallet öffnen',
  payInSandbox: 'In der Testumgebung bezahlen',
  qr: {
    label: 'Inhalt des QR-Codes',
    link: 'Zahlungslink',
    address: 'Nur Adresse',
    linkHint: 'Füllt Adresse und Betrag aus.',
    addressHint: 'Für Wallets, die nur eine Adresse lesen. Geben Sie den Betrag selbst ein.',
    linkTitle: (amount) => `QR-Code: Zahlungslink über ${amount}`,
    addressTitle: 'QR-Code: Wallet-Adresse',
  },
  timeLeft: 'Restzeit',
  timeIsUp: 'Zeit abgelaufen',
  timeOver:
    'Die Zeit ist abgelaufen: Bitte senden Sie nichts mehr. Wir prüfen, ob rechtzeitig eine Zahlung eingegangen ist.',
  priceHeld: (until) => `Ihr Preis gilt bis ${until} Uhr.`,
  timeHint: (hasPart) =>
    (hasPart
      ? 'Ist der Rest bis dahin nicht eingegangen, erhalten Sie Token für den eingegangenen Betrag, ' +
        'oder er wird erstattet, wenn er zu gering ist. '
      : 'Ist bis dahin nichts eingegangen, verfällt dieser Kauf, und Sie schulden nichts. ') +
    'Eine spätere Zahlung ist nicht verloren, bringt aber möglicherweise weniger Token oder wird ' +
    'erstattet.',
  restTooSmallHint:
    'Dann erhalten Sie Token für den eingegangenen Betrag, oder er wird erstattet, wenn er zu gering ist.',
  arrivedOf: (received, whole) => `${received} von ${whole} eingegangen`,
  steps: {
    label: 'Fortschritt der Zahlung',
    waiting: 'Wir warten auf Ihre Zahlung',
    waitingForRest: 'Wir warten auf den Rest',
    seen: 'Zahlung erkannt',
    notSeen: 'Keine Zahlung erkannt',
    confirming: 'Vom Netzwerk bestätigt',
    credited: 'Token gutgeschrieben',
    ofConfirmations: (confirmations, required) => `${confirmations} von ${required} Bestätigungen`,
    needs: (required) =>
      required === 1 ? 'Benötigt 1 Bestätigung' : `Benötigt ${required} Bestätigungen`,
  },
  situations: {
    waiting: () => 'Wir warten auf Ihre Zahlung.',
    rest: ({ due }) => `Es fehlen noch ${due}: Betrag und QR-Code unten gelten für den Rest.`,
    restTooSmall: () =>
      'Bitte senden Sie nichts mehr: Was fehlt, ist weniger, als der Zahlungsdienst annimmt.',
    dropped: () =>
      'Ihre Zahlung zählt nicht mehr: Das Netzwerk hat sie verworfen, oder sie wurde Ihnen ' +
      'zurückgesendet. Verworfene Zahlungen kommen meist von selbst wieder. Zeigt Ihre Wallet sie als ' +
      'fehlgeschlagen an oder haben Sie das Geld zurück, senden Sie sie erneut.',
    wrongAsset: ({ due, refund }) =>
      'An dieser Adresse ist etwas anderes als die richtige Währung eingegangen. Es zählt nicht: ' +
      `${due} sind noch zu zahlen. Das Eingegangene ${goesBack[refund]}.`,
    held: () => 'Ihre Zahlung ist eingegangen und wird vom Team geprüft. Nichts ist verloren.',
    confirming: ({ confirmations, required }) =>
      `Ihre Zahlung ist eingegangen. Das Netzwerk bestätigt sie: ${confirmations} von ${required}.`,
    confirmingPart: ({ received }) =>
      `Die Zeit ist abgelaufen; rechtzeitig eingegangen sind ${received} Ihrer Zahlung. Sobald das ` +
      'Netzwerk sie bestätigt hat, erhalten Sie die Token, die sie bezahlt.',
    confirmingLate: () =>
      'Ihre Zahlung kam nach Ablauf der Zeit. Sobald das Netzwerk sie bestätigt hat, wird sie zum ' +
      'damaligen oder jetzigen Preis in Token umgerechnet, je nachdem, was weniger ergibt, oder zur ' +
      'Erstattung vorgemerkt.',
    confirmingAgain: () =>
      'Das Netzwerk hat seine letzten Blöcke zurückgenommen und bestätigt Ihre Zahlung noch einmal. ' +
      'Das kommt gelegentlich vor; Sie müssen nichts tun.',
    credited: () => 'Vollständig und rechtzeitig bezahlt.',
    creditedPart: ({ received }) => `Für die ${received}, die rechtzeitig eingegangen sind.`,
    creditedMore: ({ received, unused, refund }) => {
      if (unused === null) {
        return `Sie haben mehr gesendet als nötig, und alle ${received} wurden in Token umgerechnet.`
      }
      return refund === 'unconfirmed'
        ? `Sie haben mehr gesendet als nötig. Davon bestätigt das Netzwerk noch ${unused}.`
        : 'Sie haben mehr gesendet als nötig: ' +
            `Ein Rest von ${unused} konnte nicht verwendet werden und ${goesBack[refund]}.`
    },
    creditedLate: ({ unused, refund }) => {
      const late =
        'Ihre Zahlung kam nach Ablauf der Zeit und hat deshalb möglicherweise weniger Token ' +
        'gebracht als geplant.'
      if (unused === null) return late
      return refund === 'unconfirmed'
        ? `${late} Das Netzwerk bestätigt noch ${unused}.`
        : `${late} Ein Rest von ${unused} ${goesBack[refund]}.`
    },
    expired: () =>
      'Die Zeit ist abgelaufen, bevor eine Zahlung eingegangen ist. Ihnen wurde nichts berechnet. Ist ' +
      'Ihre Zahlung unterwegs, ist sie nicht verloren: Diese Seite zeigt nach ihrem Eingang, was ' +
      'daraus geworden ist.',
    expiredDropped: () =>
      'Ihre Zahlung zählt nicht mehr, und die Zeit ist abgelaufen: Das Netzwerk hat sie verworfen, oder ' +
      'sie wurde Ihnen zurückgesendet. Kommt sie wieder, ist sie nicht verloren: Diese Seite zeigt, was ' +
      'daraus geworden ist. Zeigt Ihre Wallet sie als fehlgeschlagen an, wurde Ihnen nichts berechnet.',
    expiredWrongAsset: ({ refund }) =>
      'An dieser Adresse ist etwas anderes als die richtige Währung eingegangen, und die Zeit ist ' +
      `abgelaufen. Das Eingegangene ${goesBack[refund]}.`,
    expiredPaid: ({ received, refund }) =>
      `${received} konnten nicht gutgeschrieben werden. Der Betrag ${goesBack[refund]}.`,
    failed: () => 'Dieser Kauf ist fehlgeschlagen. Ihnen wurde nichts berechnet.',
    failedShort: ({ received, refund }) =>
      'Rechtzeitig ist weniger als der Mindestbetrag eingegangen. Der Betrag von ' +
      `${received} ${goesBack[refund]}.`,
    failedPaid: ({ received, refund }) =>
      `Dieser Kauf ist fehlgeschlagen. Der eingegangene Betrag von ${received} ${goesBack[refund]}.`,
    withdrawn: ({ refund }) =>
      'Sie haben diesen Kauf widerrufen. Seine Token gingen an den Verkauf zurück, und was Sie bezahlt ' +
      `haben, ${goesBack[refund]}.`,
    withdrawnUnpaid: () =>
      'Sie haben diesen Kauf widerrufen. Es ist nichts dafür eingegangen, und Sie schulden nichts.',
    softCapMissed: ({ refund }) =>
      'Der Verkauf endete unter seinem Mindestziel und wird rückabgewickelt. Was Sie bezahlt haben, ' +
      `${goesBack[refund]}.`,
    refunded: () =>
      'Das Eingegangene konnte nicht gutgeschrieben werden. Es wurde an Sie zurückgesendet.',
  },
  buyAgain: 'Neuen Kauf beginnen',
  whatYouGet: 'Was Sie erhalten',
  whatYouGot: 'Was Sie erhalten haben',
  youPay: 'Sie zahlen',
  youPaid: 'Sie haben gezahlt',
  price: 'Tokenpreis',
  averagePrice: 'Durchschnittlicher Tokenpreis',
  baseTokens: 'Token',
  total: 'Gesamt',
  value: {
    atStage: (stage) => `Wert zum Preis von ${stage}`,
    atOwnPrice: 'Wert zum Preis dieses Kaufs',
    bonus: 'Davon Bonus',
    notTraded: (symbol) =>
      `${symbol} wird noch nicht gehandelt. So viel verlangt der Verkauf dafür; was Ihnen jemand ` +
      'dafür zahlen würde, ist etwas anderes.',
  },
  receipts: 'Eingegangene Zahlungen',
  explorer: 'In der Blockchain ansehen',
  areYours: 'gehören Ihnen',
  next: {
    label: 'Wie es weitergeht',
    release: 'Wann Sie sie erhalten',
    receipt: 'Ihr Beleg',
    receiptText: 'Was Sie bezahlt und erhalten haben, mit Datum, Adresse und jeder Zahlung.',
    print: 'Drucken oder als PDF sichern',
    invite: 'Jemanden einladen',
    inviteLink: 'Zu Ihrem Link',
  },
  refund: {
    label: 'Erstattung',
    arrived: (amount) => `${amount} eingegangen`,
    somethingArrived: 'Etwas anderes ist eingegangen',
    unused: 'Konnte nicht verwendet werden',
    goesBack: 'Es geht an Sie zurück',
    unusedPart: (amount) => `${amount} davon konnten nicht verwendet werden`,
    reasons: {
      late: 'Die Zahlung kam nach Ablauf der Zeit.',
      short: 'Rechtzeitig ist weniger als der Mindestbetrag eingegangen.',
      more: 'Es ist mehr als nötig.',
      noTokens: 'Dafür waren nicht mehr genug Token da, oder es gab keinen Kurs.',
      otherCoin:
        'Es ist nicht die Währung, in der dieser Kauf zu bezahlen war, oder nicht ihr Netzwerk.',
      failed: 'Der Kauf ist vor der Gutschrift fehlgeschlagen.',
      withdrawn: 'Sie haben den Kauf widerrufen.',
      softCap: 'Der Verkauf endete unter seinem Mindestziel.',
    },
    due: (amount) => `Erstattung von ${amount} offen`,
    sent: (amount) => `Erstattung von ${amount} gesendet`,
    somethingSent: 'Erstattung gesendet',
    hash: 'Transaktion der Erstattung',
    sentHint: 'Es kann etwas dauern, bis Ihre Wallet sie anzeigt.',
    next:
      'Erstattungen werden von Hand gesendet. Sobald Ihre gesendet ist, erhalten Sie eine E-Mail, ' +
      'und diese Seite zeigt die Transaktion.',
    whereTo: (network) =>
      `Schreiben Sie uns, an welche Adresse im Netzwerk ${network} sie gehen soll. Nehmen Sie eine ` +
      'eigene: Was an den Absender einer Zahlung zurückgeht, erreicht Sie möglicherweise nicht, wenn ' +
      'das eine Börse war.',
    whereToAny:
      'Schreiben Sie uns, an welche Adresse sie gehen soll. Nehmen Sie eine eigene: Was an den ' +
      'Absender einer Zahlung zurückgeht, erreicht Sie möglicherweise nicht, wenn das eine Börse war.',
    write: 'Wegen der Erstattung schreiben',
    subject: (number) => `Erstattung für Kauf ${number}`,
  },
  help: {
    number: (number) => `Kauf ${number}`,
    questions: 'Fragen?',
    subject: (number) => `Kauf ${number}`,
  },
  paper: {
    receipt: 'Beleg',
    purchase: 'Kauf',
    reward: 'Prämie',
    soldBy: 'Verkauft von',
    registration: (number) => `Registernummer ${number}`,
    boughtBy: 'Gekauft von',
    id: 'Transaktionsnummer',
    status: 'Status',
    created: 'Angelegt am',
    completed: 'Gutgeschrieben am',
    terms: 'Nutzungsbedingungen, Fassung vom',
    payment: 'Zahlung',
    paid: 'Bezahlt',
    asked: 'Verlangt',
    inDollars: 'In US-Dollar',
    network: 'Netzwerk',
    address: 'An die Adresse',
    received: 'Eingegangen',
    hash: 'Transaktions-Hash',
    tokens: 'Tokenmenge',
    refunds: 'Erstattungen',
    refundDue: 'Offen',
    refundSent: 'Gesendet',
    unknownCoin: 'Eine Währung, die der Verkauf nicht kennt',
    release: 'Freigabe',
    risk: 'Risiko',
    writtenBy: (site) => `Gedruckt von ${site}`,
  },
  rewardText: ({ tokens }) => `${tokens} für eine von Ihnen geworbene Person. Vielen Dank.`,
  rewardTakenBack: 'Diese Prämie entfällt zusammen mit dem Kauf, für den es sie gab.',
}
