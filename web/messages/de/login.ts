import type { Messages } from '#web/messages/en.ts'

export const login: Messages['login'] = {
  heading: 'Anmelden',
  submit: 'Anmelden',
  forgotPassword: 'Passwort vergessen',
  registerAccount: 'Konto erstellen',
  done: 'Sie sind angemeldet',
  failed: 'Die Anmeldung ist fehlgeschlagen',
}
