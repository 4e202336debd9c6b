import type { Texts } from '#web/messages/texts.ts'

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
  types: { purchase: 'Kauf', referral: 'Empfehlung' },
  pay: 'Bezahlen',
  details: 'Details',

  title: 'Transaktion',
  id: 'Transaktionsnummer',
  date: 'Datum',
  loading: 'Die Transaktion wird geladen',
  notFound: 'Diese Transaktion gibt es nicht',
  notFoundHint: 'Der Link ist unvollständig, oder sie gehört zu einem anderen Konto.',
  failedToLoad: 'Die Transaktion konnte nicht geladen werden',
  failedToLoadHint: 'Nichts ist verloren. Versuchen Sie es gleich noch einmal.',

  amount: 'Zu zahlender Betrag',
  restAmount: 'Zu zahlender Betrag (Rest)',
  token: 'Zahlungstoken',
  address: 'Wallet-Adresse',
  warning: (symbol, network) =>
    `Senden Sie nur ${symbol} und nur über das Netzwerk ${network}. Andere Währungen oder ${symbol} ` +
    'über ein anderes Netzwerk können nicht gutgeschrieben werden und gehen möglicherweise verloren.',
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
  timeLeft: 'Verbleibende Zeit',
  timeOver: 'Die Zeit ist abgelaufen. Wir sehen ein letztes Mal nach Ihrer Zahlung.',
  timeHint:
    'Bis dahin gilt Ihr Preis. Ist dann nichts eingegangen, verfällt dieser Kauf, und Sie schulden ' +
    'nichts. Eine spätere Zahlung ist nicht verloren, bringt aber möglicherweise weniger Token oder ' +
    'wird erstattet.',
  steps: {
    label: 'Fortschritt der Zahlung',
    seen: 'Zahlung erkannt',
    confirming: 'Vom Netzwerk bestätigt',
    credited: 'Token gutgeschrieben',
    ofConfirmations: (confirmations, required) => `${confirmations} von ${required} Bestätigungen`,
    needs: (required) =>
      required === 1 ? 'Benötigt 1 Bestätigung' : `Benötigt ${required} Bestätigungen`,
  },
  situations: {
    waiting: () => 'Wir warten auf Ihre Zahlung.',
    rest: ({ received, due }) =>
      `${received} sind eingegangen. Es fehlen noch ${due}: Betrag und QR-Code unten gelten für den Rest.`,
    dropped: () =>
      'Das Netzwerk hat Ihre Zahlung verworfen. Meist kommt sie von selbst wieder. Zeigt Ihre Wallet ' +
      'sie als fehlgeschlagen an, senden Sie sie erneut.',
    wrongAsset: ({ due }) =>
      'An dieser Adresse ist etwas anderes als die richtige Währung eingegangen. Es ist zur Erstattung ' +
      `vorgemerkt und zählt nicht: ${due} sind noch zu zahlen.`,
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
    credited: ({ tokens }) => `Fertig: ${tokens} gehören Ihnen.`,
    creditedPart: ({ tokens, received }) =>
      `Fertig: ${tokens} gehören Ihnen, für die ${received}, die rechtzeitig eingegangen sind.`,
    creditedMore: ({ tokens, received, unused }) =>
      unused === null
        ? `Fertig: ${tokens} gehören Ihnen. Sie haben mehr gesendet als nötig, und alle ${received} ` +
          'wurden in Token umgerechnet.'
        : `Fertig: ${tokens} gehören Ihnen. Sie haben mehr gesendet als nötig und mehr, als der Verkauf ` +
          `zulässt: ${unused} konnten nicht verwendet werden und sind zur Erstattung vorgemerkt.`,
    creditedLate: ({ tokens, unused }) =>
      `Fertig: ${tokens} gehören Ihnen. Ihre Zahlung kam nach Ablauf der Zeit und hat deshalb ` +
      'möglicherweise weniger Token gebracht als geplant.' +
      (unused === null ? '' : ` ${unused} sind zur Erstattung vorgemerkt.`),
    expired: () =>
      'Die Zeit ist abgelaufen, bevor eine Zahlung eingegangen ist. Ihnen wurde nichts berechnet. Ist ' +
      'Ihre Zahlung unterwegs, ist sie nicht verloren: Diese Seite zeigt nach ihrem Eingang, was ' +
      'daraus geworden ist.',
    expiredDropped: () =>
      'Das Netzwerk hat Ihre Zahlung verworfen, und die Zeit ist abgelaufen. Kommt sie wieder, ist sie ' +
      'nicht verloren: Diese Seite zeigt, was daraus geworden ist. Zeigt Ihre Wallet sie als ' +
      'fehlgeschlagen an, wurde Ihnen nichts berechnet.',
    expiredWrongAsset: () =>
      'An dieser Adresse ist etwas anderes als die richtige Währung eingegangen, und die Zeit ist ' +
      'abgelaufen. Das Eingegangene ist zur Erstattung vorgemerkt.',
    expiredPaid: ({ received }) =>
      `${received} sind eingegangen, aber zu spät für eine Gutschrift. Sie sind zur Erstattung vorgemerkt.`,
    failed: () => 'Dieser Kauf ist fehlgeschlagen. Ihnen wurde nichts berechnet.',
    failedShort: ({ received }) =>
      `Rechtzeitig eingegangen sind nur ${received}, weniger als der kleinste Kauf. Sie sind zur ` +
      'Erstattung vorgemerkt.',
    failedPaid: ({ received }) =>
      `Dieser Kauf ist fehlgeschlagen. Die eingegangenen ${received} sind zur Erstattung vorgemerkt.`,
  },
  buyAgain: 'Neuen Kauf beginnen',
  whatYouGet: 'Was Sie erhalten',
  whatYouGot: 'Was Sie erhalten haben',
  youPay: 'Sie zahlen',
  paid: 'Bezahlt',
  price: 'Tokenpreis',
  averagePrice: 'Durchschnittlicher Tokenpreis',
  baseTokens: 'Token',
  total: 'Gesamt',
  receipts: 'Eingegangene Zahlungen',
  explorer: 'In der Blockchain ansehen',
  rewardText: ({ tokens }) => `${tokens} für eine von Ihnen geworbene Person. Vielen Dank.`,
}
