import type { Texts } from '#web/messages/texts.ts'

export const withdrawal: Texts['withdrawal'] = {
  label: 'Ihr Widerrufsrecht',
  until: (date) => `Sie können bis ${date} widerrufen, ohne einen Grund zu nennen.`,
  open: 'Vertrag hier widerrufen',
  statement: 'Ich widerrufe diesen Vertrag:',
  buyer: 'Käufer',
  contract: 'Vertrag',
  purchase: (number, date) => `Kauf ${number} vom ${date}`,
  confirmation: 'Bestätigung geht an',
  consequences: (tokens) =>
    `${tokens} gehen an den Verkauf zurück, und mit ihnen gegebenenfalls eine Prämie, die jemand für ` +
    'Ihre Einladung erhalten hat. Was Sie bezahlt haben, wird Ihnen in derselben Währung erstattet; die ' +
    'Netzwerkgebühr trägt der Verkauf. Das lässt sich nicht rückgängig machen.',
  consequencesUnpaid:
    'Der Kauf endet, und es ist nichts mehr zu zahlen. Was Sie schon gezahlt haben und was noch ' +
    'eingeht, wird Ihnen erstattet. Das lässt sich nicht rückgängig machen.',
  password: 'Ihr Passwort',
  passwordMissing: 'Geben Sie Ihr Passwort ein',
  wrongPassword: 'Dieses Passwort stimmt nicht',
  code: 'Code Ihrer Authenticator-App oder ein Wiederherstellungscode',
  codeMissing: 'Geben Sie einen Code Ihrer App oder einen Wiederherstellungscode ein',
  wrongCode: 'Dieser Code stimmt nicht, oder er ist schon verbraucht',
  confirm: 'Widerruf bestätigen',
  cancel: 'Kauf behalten',
  failed: 'Ihr Widerruf konnte nicht gesendet werden. Bitte versuchen Sie es noch einmal.',
  done: 'Ihr Widerruf ist eingegangen. Eine E-Mail bestätigt ihn.',
}
