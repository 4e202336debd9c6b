import type { MailTexts } from '#server/use-cases/mailing/texts/english.ts'

export const account: MailTexts['account'] = {
  hello: (name) => (name === null ? 'Guten Tag,' : `Guten Tag ${name.first},`),
  ifItWasYou: 'Wenn Sie das waren, müssen Sie nichts tun.',
  endsSessions:
    'Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort: Das beendet alle offenen ' +
    'Sitzungen.',
  chooseNewPassword: 'Neues Passwort wählen',
  verifyEmail: {
    subject: (project) => `Bestätigen Sie Ihre E-Mail-Adresse für den Presale von ${project}`,
    preview: (deadline) => `Ein Klick genügt. Der Link verfällt ${deadline}.`,
    heading: 'Bestätigen Sie Ihre E-Mail-Adresse',
    text: (deadline) =>
      'bitte bestätigen Sie, dass diese Adresse Ihnen gehört. Der Link gilt nur einmal und verfällt ' +
      `${deadline}.`,
    button: 'E-Mail-Adresse bestätigen',
    ifItWasNot: 'Wenn Sie sich nicht registriert haben, müssen Sie nichts tun.',
  },
  resetPassword: {
    subject: (project) => `Wählen Sie ein neues Passwort für den Presale von ${project}`,
    preview: (deadline) => `Der Link gilt nur einmal und verfällt ${deadline}.`,
    heading: 'Wählen Sie ein neues Passwort',
    text: (deadline) =>
      'jemand, hoffentlich Sie, hat ein neues Passwort angefordert. Der Link gilt nur einmal, beendet ' +
      `alle offenen Sitzungen und verfällt ${deadline}.`,
    ifItWasNot: 'Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.',
  },
  passwordChanged: {
    subject: (project) => `Ihr Passwort für den Presale von ${project} wurde geändert`,
    heading: 'Ihr Passwort wurde geändert',
    text: 'Ihr Passwort wurde soeben geändert. Wenn Sie das waren, müssen Sie nichts tun.',
  },
  newLogin: {
    subject: (project) => `Neue Anmeldung in Ihrem Konto für den Presale von ${project}`,
    heading: 'Anmeldung von einem neuen Ort',
    text:
      'jemand hat sich in Ihrem Konto angemeldet, von einem Gerät oder aus einem Netz, das wir noch ' +
      'nicht kannten.',
  },
  sessionReused: {
    subject: (project) =>
      `Wir haben eine Sitzung Ihres Kontos für den Presale von ${project} beendet`,
    preview:
      'Der Schlüssel der Sitzung wurde ein zweites Mal verwendet. Vielleicht wurde er gestohlen.',
    heading: 'Wir haben eine Ihrer Sitzungen beendet',
    text:
      'der Schlüssel einer Ihrer Sitzungen wurde ein zweites Mal verwendet. Das kommt vor, wenn ein ' +
      'Gerät auf einen älteren Stand zurückgesetzt wird, aber auch, wenn jemand den Schlüssel kopiert ' +
      'hat. Sicherheitshalber haben wir die Sitzung beendet: Melden Sie sich wieder an, um ' +
      'fortzufahren.',
    ifItWasNot:
      'Wenn Sie sich das nicht erklären können, wählen Sie ein neues Passwort: Das beendet alle ' +
      'offenen Sitzungen.',
  },
  deviceName: (device) =>
    device === 'Unknown device' ? 'Unbekanntes Gerät' : device.replace(' on ', ' auf '),
  session: { device: 'Gerät', when: 'Zeitpunkt', address: 'IP-Adresse' },
  twoFactorOn: {
    subject: (project) =>
      `Zwei-Faktor-Anmeldung eingeschaltet: Ihr Konto für den Presale von ${project}`,
    preview: 'Ab jetzt braucht eine Anmeldung einen Code Ihrer Authenticator-App.',
    heading: 'Die Zwei-Faktor-Anmeldung ist eingeschaltet',
    text:
      'ab jetzt braucht eine Anmeldung Ihr Passwort und einen Code Ihrer Authenticator-App. Bewahren ' +
      'Sie die Wiederherstellungscodes dort auf, wo Sie sie auch ohne Ihr Telefon finden.',
    ifItWasNot:
      'Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort und schreiben Sie uns.',
  },
  twoFactorOff: {
    subject: (project) =>
      `Zwei-Faktor-Anmeldung ausgeschaltet: Ihr Konto für den Presale von ${project}`,
    preview: 'Ab jetzt genügt Ihr Passwort allein.',
    heading: 'Die Zwei-Faktor-Anmeldung ist ausgeschaltet',
    text: 'ab jetzt genügt Ihr Passwort allein, um sich anzumelden.',
    ifItWasNot:
      'Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort und schalten Sie sie wieder ein.',
  },
  recoveryCodeUsed: {
    subject: (project) =>
      `Ein Wiederherstellungscode Ihres Kontos für den Presale von ${project} wurde verwendet`,
    preview: (codesLeft) => `Sie haben ${stillLeft(codesLeft)}.`,
    heading: 'Ein Wiederherstellungscode wurde verwendet',
    figure: (codesLeft) => (codesLeft === 0 ? 'keiner mehr' : `noch ${codesLeft}`),
    text: (codesLeft) =>
      'jemand, hoffentlich Sie, hat einen Ihrer Wiederherstellungscodes verwendet. Sie haben ' +
      `${stillLeft(codesLeft)}.`,
    newOnes:
      'Auf Ihrer Kontoseite erhalten Sie zehn neue, mit einem Code Ihrer App oder einem, der noch übrig ' +
      'ist.',
    noneLeft:
      'Mit einem Code Ihrer App erhalten Sie auf Ihrer Kontoseite zehn neue. Wenn Sie die App verloren ' +
      'haben, schreiben Sie uns.',
    button: 'Konto öffnen',
  },
  recoveryCodesRenewed: {
    subject: (project) =>
      `Neue Wiederherstellungscodes für Ihr Konto für den Presale von ${project}`,
    preview: 'Die älteren gelten nicht mehr.',
    heading: 'Sie haben neue Wiederherstellungscodes',
    text:
      'für Ihr Konto wurden zehn neue Wiederherstellungscodes erstellt. Die älteren gelten nicht mehr: ' +
      'Bewahren Sie die neuen dort auf, wo Sie sie auch ohne Ihr Telefon finden.',
    ifItWasNot:
      'Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort und schreiben Sie uns.',
  },
  walletWanted: {
    subject: (symbol) => `Wohin mit Ihren ${symbol}?`,
    preview: 'Sie haben Token, aber wir wissen nicht, an welche Wallet wir sie senden können.',
    heading: 'Wir brauchen Ihre Wallet',
    text: (symbol) =>
      `Sie haben ${symbol} aus dem Presale, aber wir wissen nicht, an welche Wallet wir sie senden ` +
      'können. Legen Sie auf Ihrer Kontoseite eine fest: Bis dahin warten sie auf Sie, und niemand ' +
      'sonst bekommt sie.',
    own:
      'Nehmen Sie eine Wallet, deren Schlüssel nur Sie haben. Token, die an die Adresse einer Börse ' +
      'gesendet werden, können verloren sein.',
    button: 'Wallet festlegen',
  },
  accountErased: {
    subject: (project) => `Ihr Konto für den Presale von ${project} wurde gelöscht`,
    preview:
      'Ihre persönlichen Angaben sind gelöscht. Was gekauft wurde, bleibt ohne Ihren Namen in den ' +
      'Büchern.',
    heading: 'Ihr Konto wurde gelöscht',
    text:
      'wie gewünscht haben wir Ihr Konto gelöscht: Ihren Namen, Ihre E-Mail-Adresse, Ihre Telefonnummer ' +
      'und alles, was zu Ihren Anmeldungen gehörte. Was gekauft wurde, bleibt ohne Ihren Namen in den ' +
      'Büchern, denn ein Verkauf muss über jeden Token Rechenschaft geben können.',
    ifItWasNot: 'Wenn Sie das nicht waren, schreiben Sie uns sofort.',
    last: 'Dies ist die letzte E-Mail, die wir an diese Adresse senden.',
  },
}

/** After `Sie haben`, of recovery codes. */
function stillLeft(codes: number): string {
  if (codes === 0) return 'keinen mehr'
  return codes === 1 ? 'noch einen' : `noch ${codes}`
}
