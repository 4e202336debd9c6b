import type { delivery as english } from '#server/use-cases/mailing/texts/en/delivery.ts'

export const delivery: typeof english = {
  labels: {
    wallet: 'Ihre Wallet',
    claimBy: 'Abholen vor',
    went: 'Gesendet an',
  },
  open: 'Sehen, wo Ihre Token sind',
  warning:
    'Niemand von diesem Verkauf fragt je nach der Wiederherstellungsphrase Ihrer Wallet, ihren ' +
    'geheimen Wörtern, oder nach Coins, um etwas freizuschalten. Folgen Sie nur Links aus Ihrer Übersicht.',
  signFirst:
    'Bevor Sie sie dort abholen können, signieren Sie mit dieser Wallet auf Ihrer Kontoseite: Noch ' +
    'hat niemand gezeigt, dass sie Ihnen gehört. Kann sie nicht signieren, schreiben Sie uns.',
  claimable: {
    subject: (tokens) => `Sie können ${tokens} abholen`,
    preview: 'Ihre Token liegen bereit. Sie holen sie mit Ihrer Wallet ab.',
    heading: 'Ihre Token liegen bereit',
    text:
      'Sie holen sie mit der Wallet unten ab: mit einer eigenen Transaktion, für die das Netzwerk ' +
      'eine Gebühr nimmt. Öffnen Sie Ihre Übersicht und beginnen Sie dort.',
    toolFee:
      'Der Dienst, der sie ausgibt, kann eine eigene Gebühr verlangen, die nicht an uns geht.',
  },
  delivered: {
    subject: (tokens) => `${tokens} sind angekommen`,
    preview: (wallet) => `In Ihrer Wallet ${wallet}.`,
    heading: 'Ihre Token sind angekommen',
    text: 'Das Netzwerk hat es endgültig bestätigt.',
    elsewhere: 'Wer sie abgeholt hat, ließ sie an die Adresse unten senden.',
  },
  streamClaimable: {
    subject: (tokens) => `Sie können den Stream Ihrer ${tokens} abholen`,
    preview: 'Daraus heben Sie die Token ab, sobald sie freigegeben sind.',
    heading: 'Ihr Stream liegt bereit',
    text:
      'Ihre Token kommen als Stream von Sablier. Sie holen ihn einmal mit der Wallet unten ab und ' +
      'heben die Token auf der Seite von Sablier ab, sobald sie freigegeben sind. Das Netzwerk nimmt ' +
      'jedes Mal eine Gebühr, und auch Sablier kann eine verlangen; an uns geht davon nichts. Öffnen ' +
      'Sie Ihre Übersicht und beginnen Sie dort.',
  },
  streamClaimed: {
    subject: (tokens) => `Der Stream Ihrer ${tokens} ist abgeholt`,
    preview: (wallet) => `Er wurde für Ihre Wallet ${wallet} angelegt.`,
    heading: 'Ihr Stream ist abgeholt',
    text:
      'Das Netzwerk hat es endgültig bestätigt. Heben Sie die Token auf der Seite von Sablier ab, ' +
      'sobald sie freigegeben sind; Sablier und das Netzwerk können dafür eine Gebühr nehmen. Waren da ' +
      'schon alle freigegeben, gingen sie gleich an die Wallet.',
    elsewhere: 'Wer ihn abgeholt hat, ließ ihn an die Adresse unten gehen.',
  },
  expiring: {
    subject: (tokens) => `Holen Sie ${tokens} bald ab`,
    preview: (deadline) => `Die Zeit endet ${deadline}.`,
    heading: 'Sie haben Ihre Token noch nicht abgeholt',
    text: (deadline) =>
      `Ihre Token warten auf Sie. Abholen können Sie sie nur für eine begrenzte Zeit: Sie endet ` +
      `${deadline}. Danach kann der Verkauf zurücknehmen, was niemand abgeholt hat.`,
  },
}
