import type { Texts } from '#web/messages/texts.ts'

export const salePanel: Texts['salePanel'] = {
  heading: (name) => `Der Presale von ${name}`,
  label: 'Der Verkauf jetzt',
  stageOf: (number, count) => `Phase ${number} von ${count}`,
  open: 'jetzt geöffnet',
  paused: 'unterbrochen',
  notBegun: 'Der Presale hat noch nicht begonnen',
  nextStage: 'Die nächste Phase hat noch nicht begonnen',
  ended: 'Der Presale ist beendet',
  forTokens: (tokens, symbol) => `für ${tokens} ${symbol}`,
  pausedText: 'Zurzeit kann nicht gekauft werden. Was gekauft ist, ist davon nicht betroffen.',
  rises: (to) => `Steigt bis ${to}, während diese Phase verkauft wird.`,
  risesThen: (to, price, stage) =>
    `Steigt bis ${to}, während diese Phase verkauft wird; dann ${price} in ${stage}.`,
  after: (price, stage) => `Dann ${price} in ${stage}.`,
  last: 'Dies ist die letzte Phase.',
  startsAt: (stage) => `Der Preis, zu dem ${stage} beginnt.`,
  soldOfAll: (sold, total, symbol) => `${sold} von ${total} ${symbol} verkauft`,
  left: (tokens, symbol, share) => `Noch ${tokens} ${symbol} in dieser Phase · ${share} verkauft`,
  closes: (date) => `Endet am ${date} UTC`,
  opens: (date) => `Beginnt am ${date} UTC`,
  timeLeft: {
    days: (days, hours) => `in ${days} T. ${hours} Std.`,
    hours: (hours, minutes) => `in ${hours} Std. ${minutes} Min.`,
    minutes: (minutes) => `in ${minutes} Min.`,
    soon: 'gleich',
  },
  softCap: {
    goal: (goal) => `Der Verkauf muss ${goal} einnehmen.`,
    progress: (raised, goal) =>
      `Der Verkauf muss ${goal} einnehmen und hat bisher ${raised} eingenommen.`,
    reached: (goal) => `Der Verkauf hat die nötigen ${goal} eingenommen.`,
    below: 'Bei weniger entscheiden die Betreiber, ob alle ihr Geld zurückerhalten.',
    missed: 'Er endete darunter: Die Betreiber entscheiden, ob alle ihr Geld zurückerhalten.',
    closed: (goal) =>
      `Der Verkauf hat die nötigen ${goal} nicht eingenommen, und alle Käufer erhalten ihr Geld zurück.`,
  },
  more: 'Den ganzen Verkauf ansehen',
}
