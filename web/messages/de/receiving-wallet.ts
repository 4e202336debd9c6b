import type { Texts } from '#web/messages/texts.ts'

export const receivingWallet: Texts['receivingWallet'] = {
  title: 'Empfangs-Wallet',
  intro: (symbol, network) =>
    `Ihre ${symbol}-Token werden auf ${network} ausgeliefert, an eine Wallet, die nur Sie kontrollieren.`,
  failedToLoad: 'Ihre Wallet konnte nicht geladen werden',
  chips: {
    set: 'Festgelegt',
    signed: 'Signiert',
    pasted: 'Nicht signiert',
    waiting: 'Änderung steht an',
    frozen: 'Endgültig',
  },
  none: 'Noch ist keine Wallet festgelegt. Vorher kann Ihnen nichts ausgeliefert werden.',
  confirmFirst:
    'Bestätigen Sie zuerst Ihre E-Mail-Adresse mit dem Link, den wir an sie gesendet haben. Die ' +
    'Schaltfläche oben auf dieser Seite sendet ihn noch einmal.',
  setOne: 'Wallet festlegen',
  change: 'Wallet ändern',
  sign: 'Mit dieser Wallet signieren',
  goesTo: 'Ihre Token gehen an',
  proofs: {
    signature: 'Diese Wallet hat signiert, dass sie Ihre Token empfängt.',
    contract_signature: 'Diese Smart-Contract-Wallet hat signiert, dass sie Ihre Token empfängt.',
    none: 'Die Adresse wurde von Hand eingegeben und hat nichts signiert.',
  },
  isShared:
    'Auch ein anderes Konto nutzt diese Wallet. Die Token beider Konten kommen zusammen an.',
  listed: 'Die Liste der Empfänger ist geschlossen und enthält diese Wallet.',
  unlisted:
    'Die Liste der Empfänger wurde mit einer anderen Wallet geschlossen. Was noch nicht ' +
    'ausgegeben ist, kommt mit der nächsten Berichtigung der Liste an diese; was ausgegeben ist, bleibt ' +
    'bei der anderen.',
  frozen:
    'Die Wallet lässt sich hier nicht mehr ändern. Wenn Sie sie verloren haben, schreiben Sie uns.',
  waiting: {
    to: 'Soll geändert werden zu',
    until: (date) =>
      `Das gilt ab ${date}. Bis dahin gehen Ihre Token an die Wallet oben, und Sie können die Änderung abbrechen.`,
    timeLeft: 'Zeit zum Abbrechen',
    cancel: 'Änderung abbrechen',
    done: 'Die Änderung ist abgebrochen. Ihre Wallet bleibt, wie sie war.',
    tooLate: 'Zum Abbrechen war es zu spät: Die Änderung gilt bereits.',
    failed: 'Die Änderung konnte nicht abgebrochen werden. Versuchen Sie es noch einmal.',
  },
  invite: {
    title: 'Wohin sollen Ihre Token gehen?',
    text: (symbol) =>
      `Legen Sie die Wallet fest, an die Ihre ${symbol}-Token ausgeliefert werden sollen.`,
    action: 'Wallet festlegen',
  },

  dialog: {
    set: 'Empfangs-Wallet festlegen',
    change: 'Empfangs-Wallet ändern',
    sign: 'Mit der Empfangs-Wallet signieren',
    chooseSame:
      'Signieren Sie mit der Wallet selbst: Das zeigt, dass sie Ihnen gehört. Es sendet nichts und ' +
      'kostet nichts.',
    noWalletToSign:
      'In diesem Browser wurde keine Wallet gefunden. Öffnen Sie diese Seite in dem Browser, der Ihre hat. ' +
      'Kann sie nicht signieren, schreiben Sie uns.',
    choose:
      'Am besten signieren Sie mit der Wallet selbst: Dann kann sich niemand vertippt haben. Das sendet ' +
      'nichts und kostet nichts.',
    noWallet:
      'In diesem Browser wurde keine Wallet gefunden. Öffnen Sie diese Seite in dem Browser, der Ihre hat, oder ' +
      'geben Sie die Adresse von Hand ein.',
    signWith: (wallet) => `Mit ${wallet} signieren`,
    byHand: 'Adresse von Hand eingeben',
    steps: {
      account: (wallet) => `Öffnen Sie ${wallet} und wählen Sie das Konto, das die Token bekommt.`,
      oldAccount: (wallet) =>
        `Öffnen Sie ${wallet} und wählen Sie das Konto Ihrer bisherigen Wallet.`,
      signing: (wallet) => `Lesen Sie die Nachricht in ${wallet} und signieren Sie sie dort.`,
    },
    publicNote:
      'Beim Ausgeben der Token werden Wallets und Beträge womöglich veröffentlicht. Soll niemand ' +
      'wissen, dass diese Wallet Ihnen gehört, nehmen Sie eine neue.',
    address: 'Adresse Ihrer Wallet',
    addressFault: 'Muss eine Adresse sein: 0x und 40 Zeichen, nur Ziffern und a bis f',
    exchange:
      'Nehmen Sie nie die Adresse einer Börse: Viele schreiben neue Token nicht gut, und was dort ' +
      'ankommt, ist womöglich verloren.',
    last: 'Ihre letzten 6 Zeichen noch einmal',
    lastHint: 'Tippen Sie sie aus Ihrer Wallet ab.',
    lastFault: 'Das sind nicht die letzten 6 Zeichen der Adresse',
    isNoExchange: 'Das ist eine eigene Wallet und keine Adresse einer Börse',
    mustConfirm: 'Bestätigen Sie das, um fortzufahren',
    isOwnContract:
      'An dieser Adresse steht ein Smart Contract. Er gehört mir und kann Token übertragen',
    goOn: 'Weiter',
    back: 'Zurück',
    confirm: 'Prüfen Sie es noch einmal',
    onNetwork: (network) => `Auf ${network}`,
    compare:
      'Vergleichen Sie jedes Zeichen mit Ihrer Wallet. Wir senden Ihnen die Adresse auch per E-Mail.',
    coolOff:
      'Zu Ihrer Sicherheit gilt die Änderung erst nach 48 Stunden. Wir senden Ihnen zwei E-Mails, und ' +
      'mit jeder können Sie sie abbrechen.',
    atOnce: 'Oder signieren Sie mit der bisherigen Wallet, dann gilt sie sofort:',
    agreed: 'Die bisherige Wallet hat zugestimmt: Die Änderung gilt sofort.',
    submitSet: 'Diese Wallet festlegen',
    submitChange: 'Zu dieser Wallet ändern',
    failed:
      'Die Wallet konnte nicht festgelegt werden. Nichts ist geändert; versuchen Sie es noch einmal.',
    isSet: 'Ihre Empfangs-Wallet ist festgelegt. Die Adresse haben wir Ihnen per E-Mail gesendet.',
    isAsked:
      'Ihre Wallet ändert sich in 48 Stunden. Wie Sie das abbrechen, steht in unserer E-Mail.',
    refusals: {
      WalletFrozen:
        'Die Liste der Empfänger wurde soeben geschlossen. Ihre Wallet bleibt, wie sie ist.',
      WalletChangeWaits: 'Eine Änderung steht schon an. Brechen Sie sie zuerst ab.',
      WalletChanged:
        'Ihre Wallet wurde inzwischen geändert, vielleicht auf einem anderen Gerät. Sehen Sie nach.',
      WalletMessageInvalid:
        'Die signierte Nachricht ist abgelaufen oder verbraucht. Gehen Sie zurück und signieren Sie neu.',
      SignatureWrong:
        'Diese Wallet hat die Nachricht nicht signiert. Eine Smart-Contract-Wallet muss auf dem Netzwerk ' +
        'stehen, auf dem die Token ausgeliefert werden.',
      SignatureUnchecked:
        'Die Signatur einer Smart-Contract-Wallet lässt sich gerade nicht prüfen. Falsch ist sie nicht: ' +
        'Versuchen Sie es später noch einmal, oder geben Sie die Adresse von Hand ein.',
      WalletIsContract:
        'An dieser Adresse steht ein Smart Contract. Bestätigen Sie unten, dass er Ihnen gehört und Token ' +
        'übertragen kann.',
    },
  },

  walletRefusals: {
    rejected: (wallet) => `Sie haben in ${wallet} abgelehnt. Nichts ist geändert.`,
    locked: (wallet) =>
      `${wallet} gibt dieser Seite kein Konto frei. Entsperren Sie die Wallet und versuchen Sie es noch einmal.`,
    busy: (wallet) =>
      `In ${wallet} ist schon eine Anfrage offen. Beantworten Sie sie dort und versuchen Sie es noch einmal.`,
    wrongAccount: (wallet) =>
      `Das ist ein anderes Konto. Wählen Sie in ${wallet} das Ihrer bisherigen Wallet.`,
    disconnected: (wallet) =>
      `${wallet} hat keine Verbindung. Versuchen Sie es gleich noch einmal.`,
    timeout: (wallet) => `${wallet} hat nicht geantwortet. Versuchen Sie es noch einmal.`,
    failed: (wallet) =>
      `${wallet} konnte nicht signieren. Versuchen Sie es noch einmal, oder geben Sie die Adresse von Hand ein.`,
  },

  cancelPage: {
    heading: 'Änderung Ihrer Wallet abbrechen',
    text:
      'Jemand möchte Ihre Token an eine andere Wallet ausliefern lassen. Wenn Sie das nicht waren, ' +
      'brechen Sie es hier ab. Sie müssen sich nicht anmelden.',
    action: 'Änderung abbrechen',
    done: 'Die Änderung ist abgebrochen. Ihre Token gehen an Ihre bisherige Wallet.',
    next: 'Wenn nicht Sie darum gebeten haben, wählen Sie sofort ein neues Passwort.',
    password: 'Neues Passwort wählen',
    invalid:
      'Dieser Link gilt nicht mehr: Die Änderung wurde schon abgebrochen, oder sie gilt bereits. Was ' +
      'davon zutrifft, zeigt Ihre Kontoseite.',
    account: 'Ihr Konto öffnen',
    failed: 'Die Änderung konnte nicht abgebrochen werden. Versuchen Sie es noch einmal.',
  },
}
