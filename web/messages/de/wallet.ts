import type { Texts } from '#web/messages/texts.ts'

export const wallet: Texts['wallet'] = {
  title: 'Aus diesem Browser bezahlen',
  payWith: (name) => `Mit ${name} bezahlen`,
  hint: ({ amount, network }) =>
    `Fordert von der Wallet genau ${amount} über das Netzwerk ${network} an. Gesendet wird erst, wenn ` +
    'Sie es dort bestätigen.',
  steps: {
    account: ({ wallet: name }) =>
      `Öffnen Sie ${name} und wählen Sie das Konto, von dem Sie bezahlen.`,
    network: ({ wallet: name, network }) =>
      `Erlauben Sie ${name}, zum Netzwerk ${network} zu wechseln.`,
    checking: () => 'Der fällige Betrag wird noch einmal geprüft.',
    confirming: ({ wallet: name, amount }) =>
      `Bestätigen Sie in ${name} die Zahlung von ${amount}.`,
  },
  refusals: {
    rejected: ({ wallet: name }) =>
      `Sie haben in ${name} abgelehnt. Es wurde nichts gesendet, und der Kauf wartet weiter auf seine ` +
      'Zahlung.',
    locked: ({ wallet: name }) =>
      `${name} gibt dieser Seite kein Konto frei. Entsperren Sie die Wallet, erlauben Sie der Seite ein ` +
      'Konto und versuchen Sie es noch einmal. Es wurde nichts gesendet.',
    busy: ({ wallet: name }) =>
      `In ${name} ist bereits eine Anfrage offen. Öffnen Sie die Wallet, beantworten Sie sie und ` +
      'versuchen Sie es noch einmal.',
    unknownChain: ({ wallet: name, network }) =>
      `${name} kennt das Netzwerk ${network} nicht. Fügen Sie es in der Wallet hinzu und versuchen Sie ` +
      'es noch einmal, oder zahlen Sie mit Adresse oder QR-Code. Es wurde nichts gesendet.',
    wrongChain: ({ wallet: name, network }) =>
      `${name} ist noch in einem anderen Netzwerk. Wechseln Sie in der Wallet zum Netzwerk ${network} ` +
      'und versuchen Sie es noch einmal. Es wurde nichts gesendet.',
    insufficient: ({ amount, wallet: name }) =>
      `Das Konto in ${name} reicht nicht für ${amount} und die Gebühr des Netzwerks. Es wurde nichts ` +
      'gesendet. Wählen Sie ein anderes Konto, oder laden Sie dieses auf.',
    disconnected: ({ wallet: name }) =>
      `${name} hat keine Verbindung zu seinem Netzwerk. Es wurde nichts gesendet. Versuchen Sie es ` +
      'gleich noch einmal.',
    timeout: ({ wallet: name }) =>
      `${name} hat nicht geantwortet. Sehen Sie dort nach, bevor Sie es noch einmal versuchen: Was Sie ` +
      'dort bestätigen, wird noch gesendet und zählt.',
    changed: () =>
      'Der fällige Betrag hat sich gerade geändert, deshalb wurde nichts gesendet. Sehen Sie sich den ' +
      'neuen Betrag an und versuchen Sie es noch einmal.',
    notDue: () => 'Dieser Kauf wartet nicht mehr auf eine Zahlung, deshalb wurde nichts gesendet.',
    unreachable: () =>
      'Der fällige Betrag ließ sich nicht prüfen, deshalb wurde nichts gesendet. Prüfen Sie Ihre ' +
      'Verbindung und versuchen Sie es noch einmal.',
    failed: ({ wallet: name }) =>
      `${name} meldet ein Problem. Sehen Sie dort nach, ob die Zahlung gesendet wurde, bevor Sie es ` +
      'noch einmal versuchen; wurde sie gesendet, zeigt diese Seite sie von selbst an.',
  },
  sent: 'Gesendet.',
  sentHint:
    'Diese Seite aktualisiert sich von selbst: Sie zeigt die Zahlung, sobald das Netzwerk sie zeigt, ' +
    'was einige Minuten dauern kann. Senden Sie sie nicht noch einmal.',
  hash: 'Transaktions-Hash',
  again: 'In meiner Wallet abgebrochen: erneut bezahlen',
}
