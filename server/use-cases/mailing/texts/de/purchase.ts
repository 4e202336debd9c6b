import type { UnusedText } from '#server/use-cases/mailing/texts/en/purchase.ts'
import type { MailTexts } from '#server/use-cases/mailing/texts/english.ts'

export const purchase: MailTexts['purchase'] = {
  open: 'Kauf öffnen',
  buyAgain: 'Erneut kaufen',
  seeReferrals: 'Empfehlungen ansehen',
  seeTransaction: 'Transaktion ansehen',
  created: {
    subject: (symbol) => `Ihr ${symbol}-Kauf wartet auf die Zahlung`,
    preview: (due, deadline) => `Senden Sie ${due}. Die Zeit zum Bezahlen endet ${deadline}.`,
    heading: 'Senden Sie genau diesen Betrag',
    text: (tokens, deadline) =>
      `Wir halten ${tokens} für Sie bereit. Die Zeit zum Bezahlen endet ${deadline}.`,
    sameAddress:
      'Die Adresse gehört allein zu Ihrem Kauf, und auf der Seite des Kaufs steht dieselbe.',
  },
  onlyOn: (symbol, network) =>
    `Senden Sie nur ${symbol} und nur über das Netzwerk ${network}. Was sonst dorthin gesendet wird, ` +
    'kann nicht gutgeschrieben werden.',
  processing: {
    subject: (symbol) => `Ihre Zahlung für ${symbol} ist eingegangen`,
    preview: 'Das Netzwerk bestätigt sie gerade. Sie müssen nichts mehr tun.',
    heading: 'Ihre Zahlung ist eingegangen',
    seen: (network) => `Wir haben Ihre Zahlung im Netzwerk ${network} gesehen.`,
    nothingToDo: 'Sie müssen nichts mehr tun.',
    once: (confirmations) =>
      `Sobald sie ${confirmations === 1 ? 'eine Bestätigung' : `${confirmations} Bestätigungen`} hat, `,
    late: (once) =>
      `Sie kam nach Ablauf der Zeit zum Bezahlen. ${once}erhalten Sie dafür Token zu dem Preis, der ` +
      'weniger ergibt, dem ursprünglichen oder dem dann geltenden, solange noch welche da sind. Was ' +
      'übrig bleibt, wird zur Erstattung vorgemerkt. In jedem Fall schreiben wir Ihnen wieder.',
    underpaid: (once) =>
      `Es ist weniger als verlangt. ${once}erhalten Sie Token für das, was eingegangen ist, oder es ` +
      'wird zur Erstattung vorgemerkt, wenn es dafür zu wenig ist. In jedem Fall schreiben wir Ihnen ' +
      'wieder.',
    overpaid: (once) =>
      `Es ist mehr als verlangt. ${once}werden Ihre Token gutgeschrieben, und der Überschuss wird in ` +
      'Token umgerechnet, solange noch welche da sind. Was übrig bleibt, wird zur Erstattung vorgemerkt. ' +
      'Wir schreiben Ihnen wieder.',
    held: {
      subject: (symbol) => `Wir prüfen Ihre Zahlung für ${symbol}`,
      preview: 'Wir schreiben Ihnen, sobald sie geprüft ist.',
      heading: 'Wir prüfen Ihre Zahlung',
      text: 'Wir prüfen sie und schreiben Ihnen, sobald das geschehen ist.',
      takenBack: 'Was gutgeschrieben war, ist zurückgenommen, bis das entschieden ist.',
    },
    onItsWay: (once) => `${once}werden Ihre Token gutgeschrieben, und wir schreiben Ihnen wieder.`,
  },
  completed: {
    subject: (tokens) => `${tokens} gehören Ihnen`,
    preview: (number) => `Ihr Kauf ${number} ist abgeschlossen. Dies ist Ihr Beleg.`,
    heading: 'Ihr Kauf ist abgeschlossen',
    text: 'Die Token wurden Ihrem Konto gutgeschrieben. Diese E-Mail ist Ihr Beleg.',
    underpaid:
      'Es ist weniger eingegangen als verlangt, daher erhalten Sie Token für das, was eingegangen ist.',
    overpaid: (unused) =>
      rest(unused) === ''
        ? 'Es ist mehr eingegangen als verlangt, und für alles haben Sie Token erhalten.'
        : `Es ist mehr eingegangen als verlangt.${rest(unused)}`,
    late: (unused) =>
      'Eine Zahlung kam nach Ablauf des Kaufs und wurde deshalb zu dem Preis gutgeschrieben, der weniger ' +
      `Token ergibt, dem ursprünglichen oder dem dann geltenden.${rest(unused)}`,
    wrongAsset: (isSent) =>
      'An der Adresse ist außerdem etwas anderes eingegangen. ' +
      (isSent ? 'Es wurde zurückgesendet.' : 'Öffnen Sie den Kauf, um es zurückzubekommen.'),
  },
  toppedUp: {
    subject: (more) => `Weitere ${more} gehören Ihnen`,
    preview: 'Für einen abgeschlossenen Kauf ist noch eine Zahlung eingegangen.',
    heading: 'Zu Ihrem Kauf kommen hinzu',
    text: (unused) =>
      'Für einen abgeschlossenen Kauf ist noch eine Zahlung eingegangen, und die Token dafür wurden Ihrem ' +
      `Konto gutgeschrieben.${rest(unused)}`,
    paidInAll: 'Insgesamt bezahlt',
    tokensInAll: 'Token insgesamt, mit Boni',
  },
  underpaid: {
    subject: (due, symbol) => `Für Ihren ${symbol}-Kauf fehlen noch ${due}`,
    preview: (deadline) =>
      `Senden Sie den Rest an dieselbe Adresse. Die Zeit zum Bezahlen endet ${deadline}.`,
    heading: 'Ein Teil Ihrer Zahlung fehlt',
    text: (deadline) =>
      'Eine Zahlung ist eingegangen, aber es ist weniger als verlangt. Senden Sie den Rest an dieselbe ' +
      `Adresse. Die Zeit zum Bezahlen endet ${deadline}.`,
  },
  restTooSmall: {
    subject: (symbol) => `Für Ihren ${symbol}-Kauf fehlt ein Teil der Zahlung`,
    preview: (deadline) => `Bitte senden Sie nichts mehr. Die Zeit zum Bezahlen endet ${deadline}.`,
    heading: 'Bitte senden Sie nichts mehr',
    text: (deadline) =>
      'Eine Zahlung ist eingegangen, aber es ist weniger als verlangt. Was fehlt, ist weniger, als der ' +
      `Zahlungsdienst annimmt: Bitte senden Sie es nicht. Die Zeit zum Bezahlen endet ${deadline}. ` +
      'Dann erhalten Sie Token für den eingegangenen Betrag, oder er wird erstattet, wenn er zu gering ' +
      'ist.',
  },
  expired: {
    subject: (symbol) => `Ihr ${symbol}-Kauf ist abgelaufen`,
    preview: (at) => `Bis ${at} kam keine bestätigte Zahlung.`,
    heading: 'Ihr Kauf ist abgelaufen',
    text: (at) =>
      `Bis ${at} kam keine bestätigte Zahlung, daher sind die Token nicht mehr für Sie reserviert. Wenn Sie nicht bezahlt ` +
      'haben, müssen Sie nichts tun und können erneut kaufen, solange Token verkauft werden.',
    ifPaid:
      'Wenn Sie bezahlt haben, ist das kein Grund zur Sorge: Die Adresse wird weiter beobachtet, und eine ' +
      'späte Zahlung wird gutgeschrieben oder zur Erstattung vorgemerkt.',
  },
  paidLate: {
    subject: (symbol) => `Ihre Zahlung für ${symbol} kam zu spät`,
    preview:
      'Sie bringt keine Token mehr. Sobald sie bestätigt ist, wird sie zur Erstattung vorgemerkt.',
    heading: 'Ihre Zahlung kam zu spät',
    text: (at) =>
      `Eine Zahlung von Ihnen ist eingegangen, aber erst nach Ablauf der Zeit (${at}), und sie bringt ` +
      'keine Token mehr. Sobald das Netzwerk sie bestätigt hat, wird sie zur Erstattung vorgemerkt, und ' +
      'wir schreiben Ihnen wieder.',
  },
  failed: {
    subject: (symbol) => `Ihr ${symbol}-Kauf konnte nicht abgeschlossen werden`,
    preview:
      'Es wurden keine Token gutgeschrieben. Was Sie gesendet haben, ist zur Erstattung vorgemerkt.',
    heading: 'Ihr Kauf konnte nicht abgeschlossen werden',
    text:
      'Es wurden keine Token gutgeschrieben. Was Sie gesendet haben, ist festgehalten: Öffnen Sie den ' +
      'Kauf, um es zurückzubekommen.',
    short: (owed) =>
      'Es wurden keine Token gutgeschrieben: Rechtzeitig ist weniger als der Mindestbetrag eingegangen. ' +
      `Öffnen Sie den Kauf, um den Betrag von ${owed} zurückzubekommen.`,
    ended: {
      subject: (symbol) => `Ihr ${symbol}-Kauf wurde storniert`,
      preview:
        'Sie erhalten seine Token nicht. Was Sie gesendet haben, ist zur Erstattung vorgemerkt.',
      heading: 'Ihr Kauf wurde storniert',
      text:
        'Sie erhalten seine Token nicht. Was Sie gesendet haben, ist festgehalten: Öffnen Sie den Kauf, ' +
        'um es zurückzubekommen.',
    },
    withoutMoney: {
      preview: 'Sie erhalten dafür keine Token, und es liegt keine Zahlung von Ihnen bei uns.',
      text:
        'Sie erhalten dafür keine Token, und es liegt keine Zahlung von Ihnen bei uns. Deshalb ist nichts ' +
        'zur Erstattung vorgemerkt. Eine Zahlung, die wir schon angezeigt hatten, hat der Dienst, der sie ' +
        'entgegennahm, zurückgesendet, oder sie wurde in ihrem Netzwerk rückgängig gemacht. Haben Sie ' +
        'bezahlt und nichts zurückerhalten, schreiben Sie uns.',
    },
  },
  missedSoftCap: {
    subject: (symbol) =>
      `Der ${symbol}-Verkauf hat sein Mindestziel verfehlt: Sie erhalten Ihr Geld zurück`,
    preview: 'Der Verkauf endete unter seinem Mindestziel. Was Sie bezahlt haben, wird erstattet.',
    heading: 'Der Verkauf hat sein Mindestziel verfehlt',
    text:
      'Der Verkauf endete unter seinem Mindestziel und wird rückabgewickelt. Die Token Ihres ' +
      'Kaufs werden zurückgenommen, und was Sie bezahlt haben, wird Ihnen in derselben Währung ' +
      'erstattet: Öffnen Sie den Kauf, um es zurückzubekommen. Die Netzwerkgebühr trägt der Verkauf.',
  },
  withdrawn: {
    subject: (symbol, number) => `Sie haben Ihren ${symbol}-Kauf ${number} widerrufen`,
    preview: (at) => `Ihr Widerruf ist am ${at} eingegangen.`,
    heading: 'Ihr Widerruf ist eingegangen',
    text: (at) =>
      `Sie haben den unten genannten Vertrag widerrufen. Ihre Erklärung ist am ${at} eingegangen. Diese ` +
      'E-Mail ist die Eingangsbestätigung: Bitte bewahren Sie sie auf.',
    tokens: 'Die Token gehen an den Verkauf zurück.',
    owed:
      'Was Sie bezahlt haben, wird Ihnen in derselben Währung ' +
      'erstattet, und die Netzwerkgebühr trägt der Verkauf: Öffnen Sie den Kauf, um es zurückzubekommen.',
    owedToErased:
      'Was Sie bezahlt haben, wird Ihnen in derselben Währung erstattet, und die Netzwerkgebühr ' +
      'trägt der Verkauf: Schreiben Sie uns, damit es gesendet wird.',
    held: 'Wir prüfen Ihre Zahlung und schreiben Ihnen, sobald das geschehen ist.',
    statement: 'Erklärung',
    statementText: 'Ich widerrufe diesen Vertrag.',
    arrived: 'Eingegangen',
    contract: 'Vertrag vom',
    confirmedTo: 'Bestätigt an',
  },
  reversed: {
    subject: (symbol) => `Ihre Zahlung für ${symbol} ist nicht mehr im Netzwerk`,
    preview: 'Das Netzwerk hat sie zurückgenommen. Bitte sehen Sie in Ihrer Wallet nach.',
    heading: 'Ihre Zahlung ist nicht mehr im Netzwerk',
    text: (network) =>
      `Das Netzwerk ${network} hat eine Zahlung dieses Kaufs zurückgenommen. Das geschieht, wenn es seine ` +
      'letzten Blöcke neu ordnet oder wenn eine Zahlung ersetzt wird. Meist kommen solche Zahlungen von ' +
      'selbst wieder; dann geht alles weiter, als wäre nichts geschehen.',
    look: 'Bitte sehen Sie in Ihrer Wallet nach, ob die Zahlung noch unterwegs ist.',
    atGateway: {
      subject: (symbol) => `Eine Zahlung Ihres ${symbol}-Kaufs zählt nicht mehr`,
      preview: 'Sie wurde zurückgesendet oder in ihrem Netzwerk rückgängig gemacht.',
      heading: 'Eine Zahlung zählt nicht mehr',
      text:
        'Eine Zahlung dieses Kaufs zählt nicht mehr: Der Dienst, der sie entgegennahm, hat sie ' +
        'zurückgesendet, oder sie wurde in ihrem Netzwerk rückgängig gemacht. Haben Sie nichts ' +
        'zurückerhalten, schreiben Sie uns.',
    },
    left: (tokens) => `Von diesem Kauf bleiben Ihnen ${tokens}.`,
  },
  refundListed: {
    subject: (owed, symbol) =>
      owed === null
        ? `Eine Zahlung Ihres ${symbol}-Kaufs wird Ihnen erstattet`
        : `${owed} Ihres ${symbol}-Kaufs werden Ihnen erstattet`,
    preview: 'Es konnte nicht verwendet werden. Öffnen Sie den Kauf, um es zurückzubekommen.',
    heading: 'Ihnen steht eine Erstattung zu',
    text:
      'Was eingegangen ist, konnte nicht verwendet werden, und wir schulden es Ihnen. Öffnen Sie den ' +
      'Kauf, um es zurückzubekommen.',
    reversed: {
      preview: 'Öffnen Sie den Kauf, um es zurückzubekommen.',
      text: 'Das schulden wir Ihnen. Öffnen Sie den Kauf, um es zurückzubekommen.',
    },
    owed: 'Zu erstatten',
    reasons: {
      underpaid: 'Eine Zahlung, die geringer war als verlangt und zu gering für einen Kauf.',
      overpaid:
        'Eine Zahlung, die höher war als verlangt: der Teil, der nicht verwendet werden konnte.',
      late: 'Eine Zahlung nach Ablauf der Zeit zum Bezahlen: der Teil, der nicht verwendet werden konnte.',
      wrong_asset: 'Eine Zahlung in etwas anderem als dem, was dieser Kauf verlangt hat.',
      failed: 'Eine Zahlung für Token, die nicht gutgeschrieben werden konnten.',
      withdrawn: 'Was Sie für den Kauf bezahlt haben, den Sie widerrufen haben.',
      soft_cap:
        'Was Sie bezahlt haben: Der Verkauf hat sein Mindestziel verfehlt, deshalb geht es zurück.',
    },
  },
  foreignTransfer: {
    subject: (symbol) => `Zu Ihrem ${symbol}-Kauf kam ein Token, den er nicht verwenden kann`,
    preview:
      'Sie erhalten dafür nichts. Haben Sie ihn versehentlich gesendet, schreiben Sie uns bitte.',
    heading: 'Es kam ein Token, den dieser Verkauf nicht annimmt',
    text:
      'An die Adresse Ihres Kaufs wurde ein Token gesendet, den dieser Verkauf nicht annimmt. Sie ' +
      'erhalten dafür nichts, und was zu zahlen ist, hat sich nicht geändert. Auch Fremde versenden solche Token: ' +
      'Folgen Sie keinem Link und keinem Versprechen im Namen eines Tokens.',
    ifYours:
      'Haben Sie ihn selbst versehentlich gesendet, schreiben Sie uns bitte mit der Transaktion; wir ' +
      'prüfen es. Wenn nicht, ist nichts zu tun. Wir schreiben darüber einmal je Kauf.',
  },
  refundPaid: {
    subject: (amount, symbol) =>
      amount === null
        ? `Eine Zahlung Ihres ${symbol}-Kaufs wurde Ihnen erstattet`
        : `${amount} Ihres ${symbol}-Kaufs wurden Ihnen erstattet`,
    preview: (hash) => `Mit der Transaktion ${hash}.`,
    heading: 'Ihre Erstattung ist erfolgt',
    text: 'Was Ihr Kauf nicht verwenden konnte, wurde mit dieser Transaktion zurückgezahlt.',
    reversed: 'Was Sie für Ihren Kauf bezahlt haben, wurde mit dieser Transaktion zurückgezahlt.',
    paidBack: 'Erstattet',
    wait: 'Es kann eine Weile dauern, bis das Netzwerk sie in Ihrer Wallet zeigt.',
  },
  rewarded: {
    subject: (earned) => `Sie haben ${earned} verdient`,
    preview: 'Eine von Ihnen geworbene Person hat Token gekauft.',
    heading: 'Sie haben verdient',
    text: (usd) =>
      'Eine von Ihnen geworbene Person hat Token gekauft. Ihre Prämie, zum derzeitigen Preis ' +
      `${usd} wert, wurde Ihrem Konto gutgeschrieben. Vielen Dank!`,
  },
  rewardedAgain: {
    subject: (earned) => `Ihre Prämie von ${earned} ist wieder da`,
    preview: 'Die Käufe, mit denen sie verdient war, zählen wieder.',
    heading: 'Ihre Prämie ist wieder da',
    text:
      'Die Käufe einer von Ihnen geworbenen Person zählen wieder, daher ist Ihre Prämie wieder auf ' +
      'Ihrem Konto.',
  },
  rewardReversed: {
    subject: (earned) => `Ihre Prämie von ${earned} wurde zurückgenommen`,
    preview: 'Die Käufe, mit denen sie verdient war, zählen zurzeit nicht.',
    heading: 'Ihre Prämie wurde zurückgenommen',
    text: (earned) =>
      `Sie hatten ${earned} durch Käufe einer von Ihnen geworbenen Person verdient. Diese Käufe ` +
      'zählen zurzeit nicht, daher wurde die Prämie von Ihrem Konto zurückgenommen. Zählen sie ' +
      'wieder, erhalten Sie sie erneut.',
  },
}

function rest({ owed, sent }: UnusedText): string {
  if (owed !== null && sent !== null) {
    return (
      ` Von dem, was nicht verwendet werden konnte, wurden ${sent} abzüglich einer etwaigen ` +
      `Netzwerkgebühr zurückgesendet; um ${owed} zurückzubekommen, öffnen Sie den Kauf.`
    )
  }
  if (owed !== null) {
    return ` Insgesamt konnten ${owed} nicht verwendet werden: Öffnen Sie den Kauf, um sie zurückzubekommen.`
  }
  if (sent === null) return ''
  return (
    ` Insgesamt konnten ${sent} nicht verwendet werden und wurden abzüglich einer etwaigen ` +
    'Netzwerkgebühr zurückgesendet.'
  )
}
