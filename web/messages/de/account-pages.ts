import type { Texts } from '#web/messages/texts.ts'

export const accountPages: Texts['accountPages'] = {
  register: {
    heading: 'Konto erstellen',
    yourAccount: 'Ihr Konto',
    aboutYou: 'Über Sie',
    aboutYouNote:
      'Wer kaufen darf, ist von Land zu Land verschieden. Deshalb wird nach der Staatsangehörigkeit gefragt.',
    purchaseDetails: 'Angaben zum Kauf',
    purchaseNote:
      'Noch wird nichts gekauft: Jeder Betrag ist recht. Auf der nächsten Seite können Sie ihn ändern.',
    purchaseNoteEnded:
      'Der Presale ist beendet, und es wird nichts mehr gekauft: Jeder Betrag ist recht.',
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
  },

  account: {
    heading: 'PROFIL',
    sections: 'Auf dieser Seite',
    cardTitle: 'Ihr Profil',
    wallet: 'Empfangs-Wallet',
    saveChanges: 'Änderungen speichern',
    saved: 'Ihre Angaben wurden gespeichert',
    saveFailed: 'Ihre Angaben konnten nicht gespeichert werden',
    unverified: 'Nicht bestätigt',
    verified: 'Bestätigt',
    resend: 'Bestätigung erneut senden',
    verificationSent: 'Die Bestätigungs-E-Mail wurde gesendet',
    verificationFailed: 'Die Bestätigungs-E-Mail konnte nicht gesendet werden',
    emailNotChangeable: 'Mit dieser Adresse melden Sie sich an; sie lässt sich nicht ändern.',
  },

  verifyEmail: {
    heading: 'Ihre E-Mail-Adresse wird bestätigt',
    done: 'Ihre E-Mail-Adresse ist bestätigt',
    failed: 'Die E-Mail-Adresse konnte nicht bestätigt werden',
    alreadyDone: 'Ihre E-Mail-Adresse ist schon bestätigt',
  },

  resetPassword: {
    heading: 'Passwort zurücksetzen',
    newPassword: 'Neues Passwort',
    submit: 'Passwort zurücksetzen',
    done: 'Ihr Passwort wurde geändert',
    failed: 'Das Passwort konnte nicht geändert werden',
    noToken: 'Der Link ist unvollständig',
    askAgain: 'Neuen Link anfordern',
    loggedIn:
      'Sie sind angemeldet: Ändern Sie Ihr Passwort in Ihrem Konto. Ein Link zum Zurücksetzen öffnet ' +
      'sich erst, wenn Sie abgemeldet sind.',
    changePassword: 'Passwort ändern',
    linkIncomplete:
      'Öffnen Sie diese Seite über den ganzen Link in unserer E-Mail; Ihrer ist unvollständig.',
  },
}
