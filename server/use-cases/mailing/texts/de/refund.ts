import type { refund as english } from '#server/use-cases/mailing/texts/en/refund.ts'

export const refund: typeof english = {
  labels: {
    amount: 'Geschuldet',
    fee: 'Netzwerkgebühr',
    pays: 'Sie erhalten',
    cancelBy: 'Freigabe ab',
    reason: 'Grund',
  },
  open: 'Antrag öffnen',
  claimed: {
    subject: (pays) => `Sie haben die Erstattung von ${pays} verlangt`,
    preview: (address) => `An ${address}. Waren Sie das nicht? Dann brechen Sie sie ab.`,
    heading: 'Sie haben eine Erstattung verlangt',
    text:
      'Ihr Antrag ist da. Nach der Zeit unten sieht ihn sich ein Mensch an, dann wird gesendet. ' +
      'Vergleichen Sie die Adresse Zeichen für Zeichen mit der in Ihrer Wallet: Was gesendet ist, ' +
      'lässt sich nicht zurückholen.',
    cancel:
      'Stimmt etwas nicht, oder waren Sie das nicht? Melden Sie sich an, öffnen Sie den Antrag und ' +
      'brechen Sie ihn vor dieser Zeit ab. Waren Sie es nicht, wählen Sie sofort ein anderes ' +
      'Passwort.',
  },
  cancelled: {
    subject: (amount) => `Ihr Antrag auf ${amount} wurde abgebrochen`,
    preview: 'Der Betrag bleibt Ihnen geschuldet. Sie können ihn jederzeit neu verlangen.',
    heading: 'Ihr Antrag wurde abgebrochen',
    text:
      'An diese Adresse wird nichts gesendet. Der Betrag bleibt Ihnen geschuldet, und Sie können ' +
      'ihn jederzeit verlangen.',
  },
  rejected: {
    subject: (amount) => `Ihr Antrag auf ${amount} wurde abgelehnt`,
    preview: 'Der Betrag bleibt Ihnen geschuldet. Warum, steht in dieser Nachricht.',
    heading: 'Ihr Antrag wurde abgelehnt',
    text:
      'An diese Adresse wird nichts gesendet. Was Ihnen geschuldet wird, bleibt geschuldet, und Sie ' +
      'können es neu verlangen.',
    owedChanged: 'Was Ihnen geschuldet wird, hat sich seit Ihrem Antrag geändert.',
  },
  paid: {
    subject: (pays) => `${pays} wurden Ihnen erstattet`,
    preview: (hash) => `Mit der Transaktion ${hash}.`,
    heading: 'Ihre Erstattung ist erfolgt',
    text: 'Was Sie verlangt haben, wurde mit dieser Transaktion an Ihre Adresse gezahlt.',
  },
}
