import type { Texts } from '#web/messages/texts.ts'

export const delivery: Texts['delivery'] = {
  title: 'Wo Ihre Token sind',
  proof: 'Nachweis prüfen',
  failed: 'Der Stand Ihrer Token konnte nicht geladen werden',
  states: {
    unassigned: 'Wallet fehlt',
    assigned: 'Wartet',
    published: 'Unterwegs',
    claimed: 'Wird bestätigt',
    delivered: 'Angekommen',
    swept: 'Zurückgenommen',
  },
  toClaim: 'Abholbereit',
  expired: 'Zeit abgelaufen',
  waiting: (tokens) => `${tokens} noch nicht ausgegeben`,
  steps: (tokens) => `Der Weg von ${tokens}`,
  wallet: 'Ihre Wallet',
  walletMissing:
    'Legen Sie fest, wohin Ihre Token gehen sollen. Ohne Wallet lassen sie sich nicht senden.',
  walletMissingFrozen:
    'Die Liste wurde geschlossen, bevor Sie eine Wallet hatten. Legen Sie jetzt eine fest: Ihre ' +
    'Token kommen mit der nächsten Berichtigung der Liste.',
  chooseWallet: 'Wallet festlegen',
  handedOut: 'Vom Verkauf ausgegeben',
  notHandedOut: 'Das folgt nach dem Verkauf, wenn es die Token gibt und die Liste geschlossen ist.',
  frozen:
    'Die Liste ist geschlossen und enthält diese Wallet. Als Nächstes kommt, was freigegeben ist.',
  frozenWithout:
    'Die Liste wurde geschlossen, bevor diese Wallet festgelegt war. Ihre Token kommen mit deren ' +
    'nächster Berichtigung.',
  claimStep: 'Von Ihnen abgeholt',
  sendStep: 'An Ihre Wallet gesendet',
  sendWait: 'Sie müssen nichts tun: Wir senden sie.',
  claimWait: 'Sie holen sie mit Ihrer Wallet ab. Deren Netzwerk nimmt dafür eine Gebühr.',
  claimWaitElsewhere:
    'Sie holen sie mit Ihrer Wallet über den Dienst ab, der sie ausgibt. Das Netzwerk nimmt eine ' +
    'Gebühr, und auch der Dienst kann eine verlangen.',
  claimBefore: (date) => `Möglich bis ${date}.`,
  claimOver: (date) => `Die Zeit zum Abholen endete am ${date}. Fragen Sie uns, ob es noch geht.`,
  sweptText:
    'Wir haben zurückgenommen, was niemand abgeholt hatte. Wir schulden Ihnen diese Token weiter: ' +
    'Schreiben Sie uns, um sie zu bekommen.',
  deliveredStep: 'Angekommen',
  confirmations: (count, required) => `${count} von ${required} Bestätigungen des Netzwerks`,
  deliveredOn: (date) => `Endgültig bestätigt. Angekommen am ${date}.`,
  stream: {
    toClaim: 'Stream abholbereit',
    delivered: 'Als Stream abgeholt',
    claimWait:
      'Sie holen mit Ihrer Wallet einen Stream auf der Seite von Sablier ab. Das Netzwerk nimmt eine ' +
      'Gebühr, und auch Sablier kann eine verlangen.',
    claimStep: 'Stream von Ihnen abgeholt',
    deliveredStep: 'Bestätigt: Der Stream gehört Ihnen',
    deliveredOn: (date) =>
      `Endgültig bestätigt am ${date}. Heben Sie die Token auf der Seite von Sablier ab, sobald sie ` +
      'freigegeben sind. Waren da schon alle freigegeben, gingen sie gleich an die Wallet.',
    fee: 'Sablier und das Netzwerk können für jede Abhebung eine Gebühr nehmen. An uns geht keine.',
    elsewhere: (address) => `Er ging an ${address}, wie es beim Abholen verlangt wurde.`,
    page: 'Seite von Sablier öffnen',
  },
  transaction: 'Transaktion',
  elsewhere: (address) => `Sie gingen an ${address}, wie es beim Abholen verlangt wurde.`,
  shared: (amount) => `Diese Wallet bekommt insgesamt ${amount}: Auch ein anderes Konto nutzt sie.`,
  short: (arrived, amount) =>
    `${arrived} von ${amount} sind angekommen. Den Rest hat der Contract des Tokens einbehalten, oder er ` +
    'kommt noch.',
  claimPage: 'Seite zum Abholen öffnen',
  signFirst: (wallet) =>
    `Um sie hier abzuholen, signieren Sie zuerst mit Ihrer Wallet ${wallet}: Noch hat niemand gezeigt, ` +
    'dass sie Ihnen gehört. Kann sie nicht signieren, schreiben Sie uns, bevor die Zeit zum Abholen endet.',
  sign: 'Mit der Wallet signieren',
  claimWith: (wallet) => `Mit ${wallet} abholen`,
  noWallet: 'Zum Abholen öffnen Sie diese Seite in einem Browser, der eine Wallet hat.',
  claimHint: (address) =>
    `Die Token gehen an Ihre Wallet ${address}, gleich welches Konto die Gebühr zahlt.`,
  claimByHand: 'Was Sie brauchen, um sie anderswo abzuholen',
  claimSteps: {
    account: (wallet) => `Öffnen Sie ${wallet} und wählen Sie das Konto, das die Gebühr zahlt.`,
    network: (wallet) => `Erlauben Sie ${wallet}, zum Netzwerk des Tokens zu wechseln.`,
    checking: () => 'Es wird noch einmal geprüft, ob die Token noch abzuholen sind.',
    confirming: (wallet) => `Bestätigen Sie das Abholen in ${wallet}.`,
  },
  claimRefusals: {
    rejected: (wallet) => `Sie haben in ${wallet} abgelehnt. Es wurde nichts gesendet.`,
    locked: (wallet) =>
      `${wallet} gibt dieser Seite kein Konto frei. Entsperren Sie die Wallet, erlauben Sie der Seite ` +
      'ein Konto und versuchen Sie es noch einmal.',
    busy: (wallet) =>
      `In ${wallet} ist bereits eine Anfrage offen. Öffnen Sie die Wallet, beantworten Sie sie und ` +
      'versuchen Sie es noch einmal.',
    unknownChain: (wallet) =>
      `${wallet} kennt das Netzwerk des Tokens nicht. Fügen Sie es in der Wallet hinzu und versuchen ` +
      'Sie es noch einmal.',
    wrongChain: (wallet) =>
      `${wallet} ist noch in einem anderen Netzwerk. Wechseln Sie es in der Wallet und versuchen Sie ` +
      'es noch einmal.',
    insufficient: (wallet) =>
      `Das Konto in ${wallet} reicht nicht für die Gebühr des Netzwerks. Wählen Sie ein anderes, oder ` +
      'laden Sie dieses auf.',
    disconnected: (wallet) =>
      `${wallet} hat keine Verbindung zum Netzwerk. Versuchen Sie es gleich noch einmal.`,
    timeout: (wallet) =>
      `${wallet} hat nicht geantwortet. Sehen Sie dort nach, bevor Sie es noch einmal versuchen: Was ` +
      'Sie dort bestätigen, wird noch gesendet.',
    changed: () =>
      'Ihr Anspruch hat sich gerade geändert, deshalb wurde nichts gesendet. Sehen Sie ihn sich an ' +
      'und versuchen Sie es noch einmal.',
    notDue: () => 'Hier lassen sich die Token nicht mehr abholen, deshalb wurde nichts gesendet.',
    unreachable: () =>
      'Ihr Anspruch ließ sich nicht prüfen, deshalb wurde nichts gesendet. Prüfen Sie Ihre Verbindung ' +
      'und versuchen Sie es noch einmal.',
    failed: (wallet) =>
      `${wallet} meldet ein Problem. Sehen Sie dort nach, ob schon gesendet wurde, bevor Sie es noch ` +
      'einmal versuchen.',
  },
  claimSent: 'Gesendet. Diese Seite zeigt es, sobald das Netzwerk es zeigt.',
  claimAgain: 'In meiner Wallet abgebrochen: erneut abholen',
}
