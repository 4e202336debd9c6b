import type { proof as english } from '#web/messages/en/proof.ts'

export const proof: typeof english = {
  heading: 'Nachweis',
  intro: (symbol) =>
    `Wenn der Verkauf vorbei ist, wird zu einem Stichtag festgehalten, wem wie viele ${symbol} ` +
    'gehören. Die Wurzel dieser Stichtagsliste, eine Art Fingerabdruck, steht für alles: Niemand kann ' +
    'einen Kauf hinzufügen, ändern oder weglassen, ohne dass sie sich ändert. Was andere haben, ' +
    'verrät sie nicht.',
  failed: 'Die Stichtagslisten konnten nicht geladen werden',
  none: 'Noch gibt es keine Stichtagsliste',
  noneHint: 'Die Bücher werden nach dem Verkauf geschlossen. Dann steht hier die Wurzel.',
  snapshot: (number) => `Stichtagsliste ${number}`,
  corrects: (number) =>
    `Sie berichtigt Stichtagsliste ${number}, deren Nachweise nicht mehr gelten.`,
  date: 'Vom',
  total: 'Insgesamt',
  count: 'Käufe und Prämien',
  root: 'Wurzel',
  check: {
    title: 'Einen Nachweis prüfen',
    text:
      'Die Datei wird auf dieser Seite gelesen und nirgendwohin gesendet. Sie darf einen ' +
      'oder viele Nachweise enthalten.',
    drop: 'Legen Sie die Datei eines Nachweises hier ab, oder wählen Sie eine',
    choose: 'Datei wählen',
    right: 'Er steht in der Stichtagsliste',
    rightText: (tokens, snapshot) =>
      `${tokens} stehen in Stichtagsliste ${snapshot}. Deren Wurzel ist hier veröffentlicht.`,
    old: (snapshot) =>
      `Er ist echt, aber Stichtagsliste ${snapshot} wurde seither berichtigt. Nehmen Sie einen neueren.`,
    wrong: 'Er stimmt nicht',
    noReceipt: 'Das ist kein Nachweis, oder die Datei wurde verändert.',
    otherPurchase: 'Er belegt einen anderen Kauf, als er nennt.',
    notInTree: 'Was er sagt, steht nicht im Baum seiner Wurzel.',
    otherRoot: 'Seine Wurzel ist keine von denen, die hier veröffentlicht sind.',
    purchase: 'Kauf',
  },
  own: {
    title: 'Ihre Nachweise',
    text:
      'Einer für jeden Kauf und jede Prämie, in einer Datei. Heben Sie sie auf und geben Sie sie ' +
      'nicht weiter: Wer sie hat, sieht, was Sie gekauft haben.',
    download: 'Ihre Nachweise herunterladen',
    nothing: 'In der Stichtagsliste steht nichts von Ihnen',
    failed: 'Die Nachweise konnten nicht geladen werden',
  },
  receipt: {
    text: (snapshot) => `Ihr Kauf steht in Stichtagsliste ${snapshot}.`,
    download: 'Nachweis herunterladen',
    check: 'Prüfen',
  },
  without: {
    title: 'Ohne uns prüfen',
    offline: 'Speichern Sie diese Datei und öffnen Sie sie von Ihrer Festplatte, ohne Netz:',
    offlineLink: 'die Prüfung ohne Netz',
    command: 'Oder rufen Sie in einer Kopie des Quelltextes den Befehl auf:',
    library:
      'Oder mit jeder Bibliothek: Der Baum ist der von @openzeppelin/merkle-tree (standard-v1). Ein ' +
      'Blatt hat keccak256(salt ‖ id) als bytes32 und die Token in kleinsten Einheiten als uint256.',
  },
}
