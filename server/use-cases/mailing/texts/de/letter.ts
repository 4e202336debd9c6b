import type { MailTexts } from '#server/use-cases/mailing/texts/english.ts'

export const letter: MailTexts['letter'] = {
  presale: (project) => `Presale von ${project}`,
  soldBy: (seller) => `Verkäufer: ${seller}`,
  neverAsk:
    'Wir fragen nie nach Ihrem Passwort und nie nach einer Zahlung an eine Adresse, die nicht auf ' +
    'unserer Website steht.',
  sandbox: 'Dies ist eine Testumgebung: Zahlungen, Preise und diese E-Mail sind simuliert.',
  orOpen: 'Oder öffnen Sie diese Adresse:',
  questions: 'Fragen? Schreiben Sie an ',
  andName: ' und nennen Sie den Kauf ',
  questionSubject: 'Eine Frage',
  purchaseSubject: (number) => `Kauf ${number}`,
}
