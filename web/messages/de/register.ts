import type { Messages } from '#web/messages/en.ts'

export const register: Messages['register'] = {
  heading: 'Konto erstellen',
  yourAccount: 'Ihr Konto',
  aboutYou: 'Über Sie',
  purchaseDetails: 'Angaben zum Kauf',
  purchaseNote: 'Eine erste Auswahl, noch kein Kauf. Sie lässt sich danach ändern.',
  paymentCurrency: 'Zahlungswährung',
  purchaseAmount: 'Kaufbetrag',
  amountTooSmall: 'Der Betrag muss höher als 0.01 sein',
  agreeBefore: 'Ich akzeptiere die ',
  agreeTerms: 'Nutzungsbedingungen',
  agreeBetween: ' und die ',
  agreePrivacy: 'Datenschutzerklärung',
  mustAgree: 'Bitte stimmen Sie den Nutzungsbedingungen zu',
  submit: 'Konto erstellen',
  haveAccount: 'Haben Sie schon ein Konto?',
  signIn: 'Anmelden',
  emailTaken: 'Mit dieser E-Mail-Adresse gibt es bereits ein Konto',
  done: 'Ihr Konto wurde erstellt',
  failed: 'Das Konto konnte nicht erstellt werden',
}
