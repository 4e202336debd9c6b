import type { Texts } from '#web/messages/texts.ts'

export const security: Texts['security'] = {
  code: 'Bestätigungscode',
  codeIntro: (email) => `Geben Sie den Code ein, den Ihre Authenticator-App für ${email} anzeigt.`,
  recoveryCode: 'Wiederherstellungscode',
  recoveryIntro:
    'Geben Sie einen Ihrer gespeicherten Wiederherstellungscodes ein. Jeder gilt nur einmal.',
  lostBoth: 'App und Codes verloren? Schreiben Sie uns: Unsere Adresse steht in der ',
  byRecovery: 'Wiederherstellungscode verwenden',
  byApp: 'App verwenden',
  codeOrRecovery: 'Aus Ihrer Authenticator-App oder einer Ihrer Wiederherstellungscodes.',
  back: 'Zurück',

  verifyNotice: (email) =>
    `Bestätigen Sie Ihre E-Mail-Adresse, um weiter zu kaufen: Öffnen Sie den Link, den wir an ${email} gesendet haben.`,
  passwordNoticeTitle: 'Neues Passwort wählen',
  passwordNotice:
    'Passwortänderung erforderlich: Wählen Sie zu Ihrer Sicherheit ein neues Passwort. Bis dahin können Sie weder Ihr Guthaben sehen noch kaufen.',

  firstSteps: 'Erste Schritte',
  putAway: 'Ausblenden',
  confirmEmail: 'E-Mail-Adresse bestätigen',
  confirmEmailText: (email) => `Öffnen Sie den Link, den wir an ${email} gesendet haben.`,
  firstPurchase: 'Zum ersten Mal kaufen',
  firstPurchaseText: (symbol) =>
    `Wählen Sie einen Betrag in ${symbol} und zahlen Sie mit einer Kryptowährung, die Sie haben.`,
  firstPurchaseLater: 'Sobald Token angeboten werden.',
  firstPurchaseAction: 'Betrag wählen',
  secureLogin: 'Zwei-Faktor-Anmeldung einschalten',
  secureLoginText: 'Ein Code von Ihrem Telefon hält andere von Ihrem Konto fern.',
  secureLoginAction: 'Einrichten',
  stepDone: 'Erledigt',

  passwordTitle: 'Passwort',
  currentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  changePassword: 'Passwort ändern',
  passwordEndsOthers: 'Ein neues Passwort meldet alle anderen Geräte ab.',
  passwordChanged: 'Ihr Passwort wurde geändert',
  passwordFailed: 'Das Passwort konnte nicht geändert werden',

  twoFactorTitle: 'Zwei-Faktor-Anmeldung',
  twoFactorOn: 'Ein',
  twoFactorOff: 'Aus',
  twoFactorWhat:
    'Bei jeder Anmeldung wird zusätzlich zum Passwort ein Code aus einer App auf Ihrem Telefon verlangt. Mit dem Passwort allein kommt niemand hinein.',
  twoFactorMissing: 'Es konnte nicht geladen werden, ob sie eingeschaltet ist',
  recoveryLeft: (count) => {
    if (count === 0) return 'Kein Wiederherstellungscode ist übrig.'
    return count === 1
      ? 'Ein Wiederherstellungscode ist übrig.'
      : `${count} Wiederherstellungscodes sind übrig.`
  },
  recoveryFew: 'Holen Sie sich neue, solange Sie sich noch anmelden können.',
  recoveryNone: 'Für neue brauchen Sie einen Code Ihrer App.',
  renewCodes: 'Neue Wiederherstellungscodes',
  renewWhat: 'Sie erhalten zehn neue Codes. Die bisherigen gelten ab sofort nicht mehr.',
  renew: 'Neue Codes holen',
  renewed: 'Neue Wiederherstellungscodes wurden erstellt',
  renewFailed: 'Die neuen Wiederherstellungscodes konnten nicht erstellt werden',
  setUp: 'Einrichten',
  turnOff: 'Ausschalten',
  cancel: 'Abbrechen',
  goOn: 'Weiter',
  confirmPassword: 'Ihr Passwort',
  scan: 'Scannen Sie den Code mit einer Authenticator-App, oder kopieren Sie den Schlüssel hinein.',
  qrTitle: 'QR-Code für die Authenticator-App',
  secret: 'Schlüssel',
  enterCode: 'Geben Sie dann den Code ein, den die App anzeigt.',
  turnOn: 'Einschalten',
  turnedOn: 'Die Zwei-Faktor-Anmeldung ist eingeschaltet',
  turnedOff: 'Die Zwei-Faktor-Anmeldung ist ausgeschaltet',
  twoFactorFailed: 'Die Zwei-Faktor-Anmeldung konnte nicht geändert werden',
  codesTitle: 'Wiederherstellungscodes speichern',
  codesWhat:
    'Mit jedem kommen Sie einmal ohne die App hinein. Sie werden nur jetzt angezeigt: Bewahren Sie sie dort auf, wo Sie sie auch ohne Ihr Telefon finden.',
  copyCodes: 'Codes kopieren',
  downloadCodes: 'Codes herunterladen',
  codesFile: 'wiederherstellungscodes.txt',
  codesSaved: 'Ich habe sie gespeichert',
  done: 'Fertig',

  sessionsTitle: 'Wo Sie angemeldet sind',
  thisDevice: 'Dieses Gerät',
  device: (name) =>
    name === 'Unknown device' ? 'Unbekanntes Gerät' : name.replaceAll(' on ', ' auf '),
  lastUsed: (date) => `Zuletzt verwendet: ${date}`,
  endSession: 'Abmelden',
  endSessionOf: (device) => `${device} abmelden`,
  sessionEnded: 'Das Gerät wurde abgemeldet',
  sessionFailed: 'Das Gerät konnte nicht abgemeldet werden',
  endAll: 'Überall abmelden',
  endAllFailed: 'Es konnte nicht überall abgemeldet werden',
  sessionsMissing: 'Die Liste konnte nicht geladen werden',

  yourRecords: 'Ihre Daten',
  exportWhat: 'Alles, was über Sie gespeichert ist, als JSON-Datei.',
  exportMine: 'Meine Daten herunterladen',
  exportFile: 'mein-konto.json',
  exportFailed: 'Ihre Daten konnten nicht heruntergeladen werden',
  eraseWhat: 'Das Löschen Ihres Kontos lässt sich nicht rückgängig machen.',
  erase: 'Mein Konto löschen',
  eraseTitle: 'Mein Konto löschen',
  eraseConsequences: [
    'Ihr Name, Ihre E-Mail-Adresse, Ihre Telefonnummer und Ihre Staatsangehörigkeit werden gelöscht.',
    'Sie können sich nie wieder bei diesem Konto anmelden, und alle Geräte werden abgemeldet.',
    'Ihre Käufe bleiben ohne Ihren Namen in den Büchern des Verkaufs, und Sie geben den Zugang zu ihnen auf.',
    'Warten Sie auf Zahlungen, die noch unterwegs sind: Danach kann sie Ihnen niemand mehr zuordnen.',
    'Beantragen Sie vorher offene Erstattungen und legen Sie eine Wallet für Ihre Token fest: Danach geht beides nicht mehr. Löschen können Sie Ihr Konto einen Tag nach einem Antrag und zwei Tage nach dem Festlegen einer Wallet.',
  ],
  eraseWord: 'LÖSCHEN',
  eraseType: (word) => `Geben Sie zur Bestätigung ${word} ein`,
  eraseWrongWord: (word) => `Geben Sie das Wort ${word} ein`,
  erased: 'Ihr Konto wurde gelöscht',
  eraseFailed: 'Ihr Konto konnte nicht gelöscht werden',
}
