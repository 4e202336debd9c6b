import type { refund as english } from '#server/use-cases/mailing/texts/en/refund.ts'

export const refund: typeof english = {
  labels: {
    amount: 'Geschuldet',
    fee: 'Netzwerkgebühr',
    pays: 'Sie erhalten',
    cancelBy: 'Genehmigung frühestens',
    reason: 'Grund',
  },
  open: 'Antrag öffnen',
  claimed: {
    subject: (pays) => `Sie haben die Erstattung von ${pays} beantragt`,
    preview: (address) => `An ${address}. Waren Sie das nicht? Dann brechen Sie den Antrag ab.`,
    heading: 'Sie haben eine Erstattung beantragt',
    text:
      'Ihr Antrag ist da. Nach der Zeit unten prüft ihn jemand aus dem Team, dann wird gesendet. ' +
      'Vergleichen Sie die Adresse Zeichen für Zeichen mit der in Ihrer Wallet: Was gesendet ist, ' +
      'lässt sich nicht zurückholen.',
    cancel:
      'Stimmt etwas nicht, oder waren Sie das nicht? Melden Sie sich an, öffnen Sie den Antrag und ' +
      'brechen Sie ihn vor dieser Zeit ab. Waren Sie es nicht, wählen Sie sofort ein anderes ' +
      'Passwort.',
  },
  cancelled: {
    subject: (amount) => `Ihr Antrag auf ${amount} wurde abgebrochen`,
    preview: 'Der Betrag bleibt Ihnen geschuldet. Sie können ihn jederzeit neu beantragen.',
    heading: 'Ihr Antrag wurde abgebrochen',
    text:
      'An diese Adresse wird nichts gesendet. Der Betrag bleibt Ihnen geschuldet, und Sie können ' +
      'ihn jederzeit beantragen.',
  },
  rejected: {
    subject: (amount) => `Ihr Antrag auf ${amount} wurde abgelehnt`,
    preview: 'Warum, steht in dieser Nachricht. Sie können ihn neu stellen.',
    heading: 'Ihr Antrag wurde abgelehnt',
    text:
      'An diese Adresse wird nichts gesendet. Was Ihnen geschuldet wird, bleibt geschuldet, und Sie ' +
      'können es neu beantragen.',
    owedChanged: 'Was Ihnen geschuldet wird, hat sich seit Ihrem Antrag geändert.',
  },
  paid: {
    subject: (pays) => `${pays} wurden Ihnen erstattet`,
    preview: (hash) => `Mit der Transaktion ${hash}.`,
    heading: 'Ihre Erstattung ist erfolgt',
    text: 'Was Sie beantragt haben, wurde mit dieser Transaktion an Ihre Adresse gezahlt.',
  },
}
