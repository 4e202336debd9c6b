import type { Texts } from '#web/messages/texts.ts'

export const refundClaim: Texts['refundClaim'] = {
  title: 'Geld zurückholen',
  open: 'Geld zurückholen',
  intro: 'Dieses Geld gehört Ihnen. Sagen Sie uns, an welche Wallet es gehen soll.',
  failedToLoad: 'Was wir Ihnen schulden, konnte nicht geladen werden',
  failedToLoadHint: 'Nichts ist verloren. Versuchen Sie es gleich noch einmal.',
  step: (step, steps) => `Schritt ${step} von ${steps}`,
  back: 'Zurück',
  goOn: 'Weiter',
  done: 'Fertig',

  amount: {
    heading: 'Was Sie erhalten, und wohin',
    owed: 'Wir schulden Ihnen',
    from: (symbol, network) =>
      `Das ist alles, was wir Ihnen in ${symbol} im Netzwerk ${network} aus mehreren Käufen schulden.`,
    inAll: 'Zusammen',
    purchase: (number) => `Kauf ${number}`,
    fee: 'Netzwerkgebühr',
    feeIsOurs: 'zahlen wir',
    feeWhy:
      'Jede Überweisung kostet in ihrem Netzwerk eine Gebühr, wie schon bei Ihrer Zahlung. Sie ' +
      'beträgt höchstens ein Zehntel des Betrags.',
    arrives: 'Kommt in Ihrer Wallet an',
  },
  address: {
    label: (symbol, network) => `Ihre ${symbol}-Adresse im Netzwerk ${network}`,
    hint: 'Kopieren Sie sie aus Ihrer eigenen Wallet, und fügen Sie sie hier ein.',
    checking: 'Die Adresse wird geprüft',
    right: (network) => `Das ist eine Adresse im Netzwerk ${network}.`,
    ends: 'Sie endet auf',
    compare: 'Vergleichen Sie das mit Ihrer Wallet.',
    unchecked: (network) =>
      `Adressen im Netzwerk ${network} lassen sich hier nicht prüfen. Vergleichen Sie jedes Zeichen ` +
      'mit Ihrer Wallet.',
    warning: (symbol, network) =>
      'Nehmen Sie eine Adresse Ihrer eigenen Wallet. Eine Börse schreibt unsere Sendung ' +
      `möglicherweise nicht gut. Sie muss für ${symbol} im Netzwerk ${network} gelten: Was in ein ` +
      'anderes Netzwerk geht, ist verloren.',
    required: 'Fügen Sie die Adresse Ihrer Wallet ein',
    faults: {
      form: () =>
        'Das ist keine Adresse, oder ein Zeichen ist falsch. Kopieren Sie sie noch einmal',
      network: ({ symbol, network }) =>
        `Das gehört zu einem anderen Netzwerk. Nehmen Sie Ihre ${symbol}-Adresse im Netzwerk ${network}`,
      secret: () =>
        'Das ist ein Hash oder Schlüssel und keine Adresse. Zeigen Sie niemandem einen privaten Schlüssel',
      name: () =>
        'Das ist ein Name oder Link, der sich ändern kann. Geben Sie die Adresse selbst ein',
      nobody: () => 'Zu dieser Adresse hat niemand den Schlüssel: Was dorthin geht, ist verloren',
      contract: () =>
        'Das ist der Smart Contract eines Tokens und keine Wallet: Was dorthin geht, ist verloren',
      own: () => 'Diese Adresse gehört zu diesem Verkauf und zu keiner Wallet von Ihnen',
      sandbox: () =>
        'Dies ist ein Test, in dem jede Adresse mit sandbox- beginnt: Denken Sie sich eine aus, ' +
        'zum Beispiel sandbox-meine-wallet',
    },
    failed: 'Die Adresse konnte nicht geprüft werden. Versuchen Sie es gleich noch einmal.',
  },
  confirm: {
    heading: 'Prüfen Sie es noch einmal',
    gets: 'Sie erhalten',
    to: (network) => `An dieser Adresse im Netzwerk ${network}`,
    final: 'Ist ein Antrag genehmigt, lässt sich seine Adresse nicht mehr ändern.',
    submit: (amount) => `${amount} beantragen`,
    failed:
      'Der Antrag konnte nicht gestellt werden. Es ist nichts geschehen; versuchen Sie es noch einmal.',
  },
  changed:
    'Was wir Ihnen schulden, oder die Gebühr, hat sich geändert. Dies sind die neuen Zahlen.',
  claimedMeanwhile: 'Das ist schon beantragt oder wird Ihnen gerade gesendet.',
  made: {
    heading: 'Ihr Antrag ist gestellt',
    text: (amount) =>
      `${amount} gehen an diese Adresse. Dasselbe steht in unserer E-Mail; haben nicht Sie das ` +
      'beantragt, brechen Sie es ab und ändern Sie Ihr Passwort.',
    next: 'Wie es weitergeht',
    steps: [
      'Einen Tag lang wird nichts gesendet, damit Sie den Antrag abbrechen können.',
      'Danach prüft jemand aus dem Team den Antrag und genehmigt ihn oder lehnt ihn ab.',
      'Er kommt in die nächste Zahlung. Die Transaktion erhalten Sie per E-Mail.',
    ],
  },

  cancel: {
    until: (date) => `Bis ${date} können Sie den Antrag abbrechen; vorher genehmigt ihn niemand.`,
    afterwards: 'Sie können den Antrag abbrechen, bis er genehmigt ist.',
    timeLeft: 'Zeit zum Abbrechen',
    action: 'Antrag abbrechen',
    ask:
      'Wirklich abbrechen? Sie können das Geld jederzeit wieder beantragen; der Tag beginnt dann ' +
      'von vorn.',
    confirm: 'Ja, abbrechen',
    keep: 'Nicht abbrechen',
    done: 'Der Antrag ist abgebrochen. Wir schulden Ihnen das Geld wie zuvor.',
    failed: 'Der Antrag konnte nicht abgebrochen werden. Versuchen Sie es noch einmal.',
    tooLate: 'Der Antrag ist inzwischen weiter und lässt sich nicht mehr abbrechen.',
  },

  progress: {
    claimed: (amount) => `${amount} beantragt`,
    approving: 'Wartet auf Genehmigung',
    approvingHint: (date) => `Jemand aus dem Team prüft ihn, frühestens am ${date}.`,
    approvingSoon: 'Jemand aus dem Team prüft ihn. Sie müssen nichts tun.',
    approved: 'Genehmigt',
    batching: 'Noch in keiner Zahlung',
    batched: 'In einer Zahlung',
    batchedHint: 'Zahlungen werden von Hand signiert; das kann einige Tage dauern.',
    sending: 'Noch nicht gesendet',
    sent: 'Gesendet',
    confirming: 'Noch nicht vom Netzwerk bestätigt',
    confirmed: 'Vom Netzwerk bestätigt',
    rejected: 'Ihr Antrag wurde abgelehnt',
    rejectedNext:
      'Wir schulden Ihnen das Geld wie zuvor: Beantragen Sie es noch einmal, oder schreiben Sie uns.',
    cancelled: (date) => `Sie haben Ihren Antrag am ${date} abgebrochen.`,
    to: (amount) => `${amount} gehen an`,
    feeOf: (fee) => `Die Netzwerkgebühr von ${fee} ist abgezogen.`,
    arrived: (amount, fee) =>
      `${amount} sind an dieser Adresse angekommen; die Netzwerkgebühr betrug ${fee}.`,
    arrivedWhole: (amount) => `${amount} sind an dieser Adresse angekommen.`,
  },

  whyNot: {
    too_small: (owed, minimum, symbol) =>
      `${owed} sind noch zu wenig zum Senden: Die Netzwerkgebühr nähme zu viel davon. Ab ${minimum} ` +
      'können Sie es beantragen. Bis dahin bleibt es Ihres, zählt mit allem zusammen, was wir Ihnen ' +
      `sonst in ${symbol} schulden, und verfällt nie.`,
    in_claim:
      'Seit Ihrem Antrag ist für diesen Kauf noch mehr eingegangen. Das können Sie ebenfalls ' +
      'beantragen, sobald dieser Antrag ausgezahlt ist.',
    being_sent:
      'Bei uns ist vermerkt, dass dies an Sie gesendet wurde, und eine zweite Person prüft das. Sobald ' +
      'es bestätigt ist, schreiben wir Ihnen; wenn nicht, können Sie es hier beantragen.',
  },
}
