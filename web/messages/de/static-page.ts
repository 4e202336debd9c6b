import type { staticPage as english } from '#web/messages/en/static-page.ts'

export const staticPage: typeof english = {
  noScriptTitle: 'Diese Seite braucht JavaScript',
  noScriptText:
    'In Ihrem Browser ist es ausgeschaltet. Schalten Sie es ein, um sich anzumelden und zu kaufen; diese Seiten lassen sich ohne lesen.',
  descriptions: {
    dashboard: (name, symbol) =>
      `Der Presale von ${name}: Kaufen Sie ${symbol} in Phasen mit je eigenem Preis und zahlen Sie in einer Kryptowährung Ihrer Wahl.`,
    login: (name) =>
      `Melden Sie sich beim Presale von ${name} an, um zu kaufen, Zahlungen zu verfolgen und Ihr Guthaben zu sehen.`,
    register: (name, symbol) =>
      `Erstellen Sie ein Konto für den Presale von ${name} und kaufen Sie ${symbol} in wenigen Minuten.`,
    info: (name, symbol) =>
      `Was der Presale von ${name} ist: seine Phasen, die Menge an ${symbol} und wann Sie Ihre Token erhalten.`,
    proof: (name, symbol) =>
      `Prüfen Sie, dass Ihr Kauf in der Liste steht, wem ${symbol} aus dem Presale von ${name} gehören.`,
    terms: (name) =>
      `Die Bedingungen, zu denen ${name} seinen Token verkauft, bevor er gehandelt wird.`,
    privacyPolicy: (name) =>
      `Was der Presale von ${name} über Sie speichert, wofür und wie lange, und welche Rechte Sie haben.`,
  },
}
