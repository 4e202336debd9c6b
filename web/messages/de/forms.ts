import type { PasswordFault } from '#domain/accounts/account.ts'
import type { Messages } from '#web/messages/en.ts'

const passwordFaults: Record<PasswordFault, string> = {
  'Minimum 8 character': 'Mindestens 8 Zeichen',
  'Maximum 32 character': 'Höchstens 32 Zeichen',
  'Must have at least 1 number and 1 letter': 'Mindestens 1 Ziffer und 1 Buchstabe',
}

export const forms: Messages['forms'] = {
  firstName: 'Vorname',
  lastName: 'Nachname',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  phoneNumber: 'Telefonnummer',
  countryCode: 'Ländervorwahl',
  nationality: 'Staatsangehörigkeit',
  chooseNationality: 'Staatsangehörigkeit wählen',
  optional: 'Freiwillig',
  preferredCountries: 'Häufig gewählt',
  allCountries: 'Alle Länder',
  required: 'Bitte ausfüllen',
  emailInvalid: 'Die E-Mail-Adresse ist ungültig',
  nameInvalid: 'Höchstens 100 Zeichen und keine Zeilenumbrüche',
  phoneInvalid: 'Geben Sie eine Telefonnummer ein, die es in diesem Land gibt',
  passwordFault: (fault) => passwordFaults[fault],
  passwordRules: {
    length: '8 bis 32 Zeichen',
    letter: 'Ein Buchstabe',
    digit: 'Eine Ziffer',
  },
}
