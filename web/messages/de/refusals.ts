import { LAST_CHARACTERS } from '#domain/delivery/wallet.ts'
import type { CallFault } from '#web/lib/api/call.ts'
import { type FaultTexts, type Figures, translateFault } from '#web/lib/api/translate-fault.ts'
import { messages } from './messages.ts'
import { refundClaim } from './refund-claim.ts'

const { form, secret, name, nobody, contract, own } = refundClaim.address.faults
const { required, emailInvalid, nameInvalid, phoneInvalid, passwordFault } = messages.forms

const when = ({ minutes }: Figures): string => {
  if (minutes === null) return 'später'
  if (minutes <= 1) return 'in einer Minute'
  return minutes <= 120 ? `in ${minutes} Minuten` : `in ${Math.ceil(minutes / 60)} Stunden`
}
const again = (figures: Figures) => `Versuchen Sie es ${when(figures)} noch einmal`
const payOrAgain = (figures: Figures) =>
  `Bezahlen Sie zuerst, oder versuchen Sie es ${when(figures)} noch einmal`

const waits = ({ minutes }: Figures) => minutes !== null
const mailLost = 'Die E-Mail dazu ging verloren: Schreiben Sie uns'
const spendLess = 'Geben Sie weniger aus'

const soon = 'Versuchen Sie es in einer Minute noch einmal'
const wrongCode = 'Der Code ist falsch oder wurde schon verwendet'
const enterCode =
  'Geben Sie einen Code Ihrer Authenticator-App oder einen Wiederherstellungscode ein'

const reasons: FaultTexts['reasons'] = {
  InvalidInput:
    'Einige Angaben stimmen nicht. Berichtigen Sie sie und versuchen Sie es noch einmal',
  MalformedBody: 'Die Anfrage war nicht lesbar. Laden Sie die Seite neu',
  MethodNotAllowed: 'Die Anfrage war nicht zulässig. Laden Sie die Seite neu',
  BodyTooLarge: 'Die Anfrage ist zu groß. Senden Sie weniger auf einmal',
  AddressTooLong: 'Die Adresse der Anfrage ist zu lang',
  UnsupportedBody: 'Die Anfrage war nicht lesbar. Laden Sie die Seite neu',
  NotFound: 'Das wurde nicht gefunden',
  TooManyRequests: (figures) => `Das waren zu viele Anfragen. ${again(figures)}`,
  Unavailable: `Ein Dienst, der dafür nötig ist, antwortet gerade nicht. ${soon}`,
  Restarting: 'Der Server startet neu. Versuchen Sie es gleich noch einmal',
  Busy: 'Gerade ist der Andrang zu groß. Versuchen Sie es noch einmal',

  Unauthenticated: 'Melden Sie sich an, um fortzufahren',
  WrongCredentials: 'E-Mail-Adresse oder Passwort ist falsch',
  WrongPassword: 'Das Passwort ist falsch',
  RefreshTokenInvalid: 'Ihre Sitzung ist beendet. Melden Sie sich noch einmal an',
  TwoFactorRequired: 'Es fehlt der Code des zweiten Faktors',
  WrongTwoFactorCode: wrongCode,
  WrongCode: wrongCode,
  TwoFactorAlreadyOn: 'Die Zwei-Faktor-Anmeldung ist schon eingeschaltet',
  TwoFactorNotStarted:
    'Es gibt nichts zu bestätigen. Beginnen Sie die Zwei-Faktor-Anmeldung von vorn',
  TwoFactorNotOn: 'Die Zwei-Faktor-Anmeldung ist nicht eingeschaltet',
  EmailTaken: 'Diese E-Mail-Adresse ist schon registriert',
  EmailNotVerified: 'Ihre E-Mail-Adresse muss erst bestätigt sein',
  EmailAlreadyVerified: 'Ihre E-Mail-Adresse ist schon bestätigt',
  PasswordChangeRequired: 'Sie müssen erst ein neues Passwort wählen',
  LinkInvalid: 'Dieser Link gilt nicht mehr. Fordern Sie einen neuen an',

  SaleNotStarted: ({ isBetweenStages }) =>
    `${isBetweenStages ? 'Die nächste Phase des Verkaufs' : 'Der Verkauf'} hat noch nicht begonnen`,
  SalePaused: 'Der Verkauf ist unterbrochen',
  SaleEnded: 'Der Verkauf ist beendet',
  NoTokensLeft: ({ dollars: [left] }) =>
    left === undefined
      ? 'Gerade sind keine Token mehr da'
      : `Gerade sind nur noch Token im Wert von ${left} da`,
  BelowMinimum: ({ dollars: [least] }) =>
    least === undefined ? 'Der Betrag ist zu klein' : `Geben Sie mindestens ${least} aus`,
  AboveMaximum: ({ dollars: [most] }) =>
    most === undefined ? 'Der Betrag ist zu groß' : `Geben Sie höchstens ${most} aus`,
  UnknownPaymentToken:
    'Mit diesem Token lässt sich gerade nicht bezahlen. Wählen Sie einen anderen',
  TooManyOpenPurchases: (figures) => `Sie haben zu viele unbezahlte Käufe. ${payOrAgain(figures)}`,
  PurchasesLapsed: (figures) =>
    `Sie haben mehrere Käufe nicht bezahlt, der nächste muss deshalb warten. ${again(figures)}`,
  UserWorthReached: (figures) =>
    boundText('Ein Konto', figures) + (waits(figures) ? payOrAgain(figures) : spendLess),
  ConnectionWorthReached: (figures) =>
    boundText('Ein Netzwerk', figures) + (waits(figures) ? again(figures) : spendLess),
  UnpaidShareReached: (figures) => {
    const [left] = figures.dollars
    return left === undefined
      ? `Gerade ist so viel unbezahlt reserviert, wie erlaubt ist. ${again(figures)}`
      : `Andere haben ihre Reservierungen noch nicht bezahlt, deshalb lassen sich gerade nur Token im Wert von ${left} reservieren. ${again(figures)}`
  },
  IdempotencyKeyReused:
    'Dieser Versuch gehörte zu einem anderen Kauf. Versuchen Sie es noch einmal',
  PriceStale: `Für diesen Token gibt es keinen aktuellen Kurs. ${soon}, oder wählen Sie einen anderen`,
  RailUnavailable:
    'Mit diesem Token lässt sich gerade nicht bezahlen. Wählen Sie einen anderen, oder versuchen Sie ' +
    'es später noch einmal',

  NotWithdrawable: 'Dieser Kauf lässt sich nicht oder nicht mehr widerrufen',
  RefundNotOwed: 'In dieser Währung steht Ihnen keine Erstattung zu',
  RefundChanged:
    'Der Betrag oder die Gebühr ist inzwischen ein anderer. Sehen Sie noch einmal nach',
  RefundTooSmall:
    'Das ist noch zu wenig, um es zu senden. Es bleibt Ihnen geschuldet und kommt zu dem hinzu, was ' +
    'noch folgt',
  RefundClaimed:
    'Das haben Sie schon beantragt. Brechen Sie den Antrag ab, um es neu zu beantragen',
  ClaimClosed: 'Dieser Antrag lässt sich nicht mehr abbrechen',
  ClaimCancellable: (figures) =>
    'Ein Antrag auf Erstattung lässt sich noch abbrechen. ' +
    (waits(figures)
      ? `Brechen Sie ihn ab, oder versuchen Sie es ${when(figures)} noch einmal`
      : mailLost),

  WalletFrozen:
    'Die Liste der Empfänger ist geschlossen und enthält diese Wallet. Schreiben Sie uns, um sie zu ' +
    'ändern',
  WalletChangeWaits: 'Eine Änderung Ihrer Wallet steht schon an. Brechen Sie sie zuerst ab',
  WalletChanged: 'Ihre Token gehen inzwischen an eine andere Wallet. Sehen Sie noch einmal nach',
  WalletTooNew: (figures) =>
    `Die Wallet wurde erst kürzlich festgelegt, deshalb lässt sich das Konto noch nicht löschen. ${waits(figures) ? again(figures) : mailLost}`,
  WalletMessageInvalid:
    'Die Nachricht ist abgelaufen, verbraucht oder für etwas anderes. Signieren Sie eine neue',
  SignatureWrong:
    'Diese Wallet hat die Nachricht nicht signiert. Wählen Sie in der Wallet deren Konto und ' +
    'signieren Sie noch einmal. Eine Smart-Contract-Wallet muss auf dem Netzwerk stehen, auf dem die ' +
    'Token ausgeliefert werden',
  SignatureUnchecked:
    'Diese Signatur lässt sich gerade nicht prüfen. Versuchen Sie es später noch einmal, oder geben ' +
    'Sie die Adresse von Hand ein',
  WalletIsContract:
    'An dieser Adresse steht ein Smart Contract. Bestätigen Sie, dass er Ihnen gehört und Token ' +
    'übertragen kann',
}

function boundText(who: string, figures: Figures): string {
  const [most, left] = figures.dollars
  if (most === undefined) return 'Mehr lässt sich gerade nicht unbezahlt reservieren. '
  const bound = `${who} kann unbezahlt höchstens ${most} auf einmal reservieren`
  if (left !== undefined) return `${bound}. Davon sind gerade noch ${left} frei. `
  return waits(figures) ? `${bound}, und davon ist gerade nicht genug frei. ` : `${bound}. `
}

const last = `${LAST_CHARACTERS} Zeichen der Adresse`

const texts: FaultTexts = {
  reasons,
  codes: {
    form: form(),
    network: 'Diese Adresse gehört zu einem anderen Netzwerk oder einer anderen Währung',
    secret: secret(),
    name: name(),
    nobody: nobody(),
    contract: contract(),
    own: own(),
  },
  sentences: {
    // Only by its sentence: something in between may have sent another one that means something.
    'Internal server error': 'Interner Serverfehler',
    "Can't be empty": required,
    'Email is invalid': emailInvalid,
    'Minimum 8 character': passwordFault('Minimum 8 character'),
    'Maximum 32 character': passwordFault('Maximum 32 character'),
    'Must have at least 1 number and 1 letter': passwordFault(
      'Must have at least 1 number and 1 letter',
    ),
    'Choose a password that is not the current one':
      'Wählen Sie ein anderes Passwort als das bisherige',
    'Must be at most 200 characters': 'Höchstens 200 Zeichen',
    'Must be at most 254 characters': 'Höchstens 254 Zeichen',
    'Must be at most 256 characters': 'Höchstens 256 Zeichen',
    'Your tokens already go to this wallet': 'Ihre Token gehen schon an diese Wallet',
    'This address belongs to this sale, not to a wallet of yours': own(),
    'Nobody has the key of this address: what is sent there is lost': nobody(),
    'A letter of this address is wrong: copy it again from your wallet':
      'Ein Buchstabe dieser Adresse ist falsch: Kopieren Sie sie noch einmal aus Ihrer Wallet',
    'Give the address of the wallet': 'Geben Sie die Adresse der Wallet ein',
    'Give the address that it is to be paid to': 'Geben Sie die Adresse ein, an die es gehen soll',
    'Enter an amount in dollars as a plain number': 'Geben Sie einen Betrag in Dollar als Zahl ein',
  },
  fields: {
    first_name: nameInvalid,
    last_name: nameInvalid,
    email: emailInvalid,
    mobile: phoneInvalid,
    nationality: 'Wählen Sie ein Land',
    password: 'Geben Sie Ihr Passwort ein',
    current_password: 'Geben Sie Ihr bisheriges Passwort ein',
    code: enterCode,
    address: 'Diese Adresse kann nichts annehmen. Geben Sie die einer eigenen Wallet ein',
    receiver: 'Diese Adresse kann nichts annehmen. Geben Sie die einer eigenen Wallet ein',
    signer: 'Diese Wallet kann dafür nicht signieren. Wählen Sie eine andere',
    last_characters: `Das sind nicht die letzten ${last}`,
    is_no_exchange: 'Bestätigen Sie, dass das eine eigene Wallet ist und keine Adresse einer Börse',
    purchase_amount:
      'Der Betrag muss größer als 0 sein und darf höchstens 6 Nachkommastellen haben',
    purchase_token_id: 'Wählen Sie eine Währung, in der Sie bezahlen',
    language: 'Wählen Sie eine Sprache',
  },
}

export const refusals = (fault: CallFault): CallFault => translateFault(texts, fault)
