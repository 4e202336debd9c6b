import type { wallet as english } from '#server/use-cases/mailing/texts/en/wallet.ts'

export const wallet: typeof english = {
  labels: {
    network: 'Netzwerk',
    former: 'Bis dahin gilt',
    effective: 'Gilt ab',
  },
  compare: 'Vergleichen Sie die Adresse Zeichen für Zeichen mit der in Ihrer Wallet.',
  open: 'Ihr Konto öffnen',
  set: {
    subject: (symbol) => `Ihre ${symbol}-Token gehen an diese Wallet`,
    preview: (address) => `${address}. Waren Sie das nicht? Dann handeln Sie sofort.`,
    heading: 'Ihre Empfangs-Wallet ist festgelegt',
    text: 'Ihre Token werden an die Wallet unten ausgeliefert.',
    ifItWasNot:
      'Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort und ändern Sie die Wallet auf ' +
      'Ihrer Kontoseite, oder schreiben Sie uns, wenn das nicht mehr geht.',
  },
  setForYou: {
    subject: (symbol) => `Wir haben die Wallet für Ihre ${symbol}-Token geändert`,
    preview: (address) =>
      `${address}. Haben Sie nicht darum gebeten? Dann schreiben Sie uns sofort.`,
    heading: 'Ihre Empfangs-Wallet wurde für Sie geändert',
    text:
      'wir haben geändert, wohin Ihre Token ausgeliefert werden. Ab jetzt gehen sie an die Wallet ' +
      'unten.',
    ifItWasNot: 'Wenn Sie nicht darum gebeten haben, schreiben Sie uns sofort.',
  },
  askedForYou: {
    subject: (symbol) => `Ihre ${symbol}-Token sollen an eine andere Wallet gehen`,
    preview: (address) =>
      `An ${address}. Haben Sie uns nicht darum gebeten? Dann schreiben Sie uns sofort.`,
    heading: 'Ihre Empfangs-Wallet soll für Sie geändert werden',
    text:
      'jemand aus unserem Team möchte Ihre Token an die Wallet unten ausliefern lassen. Noch hat sich ' +
      'nichts geändert: Eine zweite Person muss zustimmen. Sobald die Wallet geändert ist, bekommen ' +
      'Sie eine weitere E-Mail.',
    ifItWasNot:
      'Wenn Sie uns nicht darum gebeten haben, schreiben Sie uns sofort, solange es sich noch ' +
      'aufhalten lässt.',
  },
  changeWaits: {
    subject: (symbol) => `Jemand will Ihre ${symbol}-Token an eine andere Wallet ausliefern lassen`,
    preview: (address) => `An ${address}. Waren Sie das nicht? Dann brechen Sie es ab.`,
    heading: 'Ihre Empfangs-Wallet soll sich ändern',
    text: (deadline) =>
      'jemand, hoffentlich Sie, möchte Ihre Token an die Wallet unten ausliefern lassen. Das wird ' +
      `${deadline} wirksam, und bis dahin lässt es sich abbrechen.`,
  },
  changeSoon: {
    subject: (symbol) => `Letzter Hinweis: Ihre ${symbol}-Token sollen an eine andere Wallet gehen`,
    preview: (address) => `An ${address}. Waren Sie das nicht? Dann brechen Sie es jetzt ab.`,
    heading: 'Ihre Empfangs-Wallet ändert sich bald',
    text: (deadline) =>
      `Ihre Token sollen an die Wallet unten ausgeliefert werden. Das wird ${deadline} wirksam, ` +
      'und bis dahin lässt es sich abbrechen.',
  },
  ifItWasYou: 'Wenn Sie das waren und die Adresse stimmt, müssen Sie nichts tun.',
  ifItWasNot:
    'Wenn Sie das nicht waren, brechen Sie es ab: Die Schaltfläche funktioniert ohne Anmeldung. ' +
    'Wählen Sie dann sofort ein neues Passwort.',
  cancel: 'Änderung abbrechen',
  changeCancelled: {
    subject: (symbol) => `Die Änderung Ihrer ${symbol}-Wallet wurde abgebrochen`,
    preview: 'Die Änderung wurde abgebrochen. Ihre Wallet bleibt, wie sie war.',
    heading: 'Die Änderung Ihrer Wallet wurde abgebrochen',
    by: {
      owner:
        'an die Wallet unten wird nichts ausgeliefert. Ihre Token gehen an Ihre bisherige Wallet.',
      freeze:
        'die Liste der Empfänger wurde geschlossen, bevor Ihre Änderung galt. Ihre ' +
        'Wallet bleibt deshalb, wie sie war, und an die Wallet unten wird nichts ausgeliefert. ' +
        'Schreiben Sie uns, wenn Sie die bisherige nicht mehr nutzen können.',
      silence:
        'die E-Mail, mit der Sie Ihre Änderung abbrechen können, ließ sich nicht rechtzeitig ' +
        'verschicken. Deshalb haben wir die Änderung abgebrochen: Ihre Token gehen an Ihre ' +
        'bisherige Wallet und nicht an die unten. Wenn Sie die Änderung weiterhin wünschen, ' +
        'beantragen Sie sie noch einmal.',
    },
    ifItWasNot:
      'Wenn nicht Sie um die Änderung gebeten haben, wählen Sie sofort ein neues Passwort.',
  },
}
