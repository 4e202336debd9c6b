import type { Messages } from '#web/messages/en.ts'

export const account: Messages['account'] = {
  heading: 'PROFIL',
  cardTitle: 'Ihr Profil',
  saveChanges: 'Änderungen speichern',
  saved: 'Ihre Angaben wurden gespeichert',
  saveFailed: 'Ihre Angaben konnten nicht gespeichert werden',
  unverified: 'Nicht bestätigt',
  verified: 'Bestätigt',
  resend: 'Bestätigungs-E-Mail erneut senden',
  verificationSent: 'Die Bestätigungs-E-Mail wurde gesendet',
  verificationFailed: 'Die Bestätigungs-E-Mail konnte nicht gesendet werden',
  emailNotChangeable: 'Mit dieser Adresse melden Sie sich an; sie lässt sich nicht ändern.',
}

export const verifyEmail: Messages['verifyEmail'] = {
  heading: 'Ihre E-Mail-Adresse wird bestätigt',
  done: 'Ihre E-Mail-Adresse ist bestätigt',
  failed: 'Die E-Mail-Adresse konnte nicht bestätigt werden',
}

export const forgotPassword: Messages['forgotPassword'] = {
  heading: 'Passwort vergessen',
  intro:
    'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Sie erhalten einen Link, mit dem Sie ein neues Passwort wählen.',
  emailInvalid: 'Ungültige E-Mail-Adresse',
  submit: 'Link anfordern',
  submitIn: (seconds) => `Link anfordern (${seconds})`,
  backToLogin: 'Zurück zur Anmeldung',
  done: 'Die E-Mail zum Zurücksetzen des Passworts wurde gesendet',
  failed: 'Die E-Mail zum Zurücksetzen des Passworts konnte nicht gesendet werden',
}

export const resetPassword: Messages['resetPassword'] = {
  heading: 'Passwort zurücksetzen',
  newPassword: 'Neues Passwort',
  submit: 'Passwort zurücksetzen',
  done: 'Ihr Passwort wurde geändert',
  failed: 'Das Passwort konnte nicht geändert werden',
  noToken: 'Der Link ist unvollständig',
  askAgain: 'Neuen Link anfordern',
}
