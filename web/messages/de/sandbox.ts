import type { Texts } from '#web/messages/texts.ts'

export const sandbox: Texts['sandbox'] = {
  heading: 'Testumgebung',
  intro:
    'Hier spielen Sie die Wallet des Käufers, die Blockchain und das Postfach. Nichts auf dieser Seite ist echtes Geld.',
  notSandbox: 'Dies ist keine Testumgebung',
  notSandboxText: 'Hier sind Zahlungen echt, deshalb gibt es nichts zu simulieren.',
  wallet: {
    title: 'Wallet',
    address: 'Adresse',
    addressHint: 'Kopieren Sie sie aus dem Zahlungsfenster, oder öffnen Sie diese Seite von dort.',
    amount: 'Zu zahlender Betrag',
    amountHint: 'In der Währung des Kaufs, genau wie im Zahlungsfenster angezeigt.',
    addressMissing: 'Geben Sie die Adresse ein, an die gezahlt wird',
    amountMissing: 'Geben Sie den Betrag als einfache Zahl ein',
    all: 'Alles senden',
    less: 'Die Hälfte senden',
    more: 'Das Doppelte senden',
    sent: (amount) => `${amount} gesendet`,
    failed: 'Die Zahlung konnte nicht gesendet werden',
  },
  chain: {
    title: 'Blockchain',
    text: 'Alle 5 Sekunden kommt von selbst ein Block hinzu. Eine Zahlung braucht 2 Bestätigungen.',
    mine: 'Block erzeugen',
    mined: (height) => `Die Blockchain steht bei Block ${height}`,
    depth: 'Blöcke verwerfen',
    reorganise: 'Reorganisieren',
    reorganised: (height) => `Blöcke verworfen: Die Blockchain steht wieder bei ${height}`,
    depthInvalid: 'Geben Sie 1 bis 100 Blöcke ein',
    failed: 'Die Blockchain hat nicht geantwortet',
  },
  mails: {
    title: 'Postfach',
    to: 'Nur E-Mails an',
    refresh: 'Erneut nachsehen',
    list: 'E-Mails',
    empty: 'Noch keine E-Mails',
    emptyHint:
      'Was der Verkauf an seine Käufer schreibt, landet hier, es sei denn, ein Mailserver ist ' +
      'eingerichtet: Dann wird es versendet.',
    failed: 'Das Postfach konnte nicht gelesen werden',
    toLine: (to) => `An ${to}`,
    form: 'Form der E-Mail',
    asMail: 'Als E-Mail',
    asText: 'Nur Text',
    frameTitle: (subject) => `E-Mail: ${subject}`,
  },
}
