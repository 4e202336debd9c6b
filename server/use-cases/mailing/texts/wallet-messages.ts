import { deadlineText, instantText } from './instant-texts.ts'
import type { Fact, Letter, Message } from './letter.ts'
import { addressPart, button, fact, factOf, facts, head, questions, text, write } from './letter.ts'

/** What the mails about a receiving wallet say. */
export type WalletDetails = {
  /** In full, so that its owner can compare it. */
  address: string
  /** Null if the sale no longer says on which. */
  network: string | null
  /** Where the tokens go until then; null if no change is waiting. */
  former: string | null
  effectiveAt: Date
  /** Of the link that cancels a change; it is stored nowhere. */
  token: string
  /** What has cancelled a change; `silence` if the mail about it could not be sent. */
  endedBy: 'owner' | 'freeze' | 'silence'
}

export type WalletMail = (letter: Letter, wallet: WalletDetails) => Message

export const walletSetMessage: WalletMail = (letter, wallet) => setMessage(letter, wallet, 'set')

export const walletSetForYouMessage: WalletMail = (letter, wallet) =>
  setMessage(letter, wallet, 'setForYou')

/** What operators want to change, before a second operator has approved it. */
export const walletChangeAskedMessage = (
  letter: Letter,
  wallet: Pick<WalletDetails, 'address' | 'network' | 'former'>,
): Message => {
  const { askedForYou: texts, labels, open } = letter.texts.wallet
  return write(letter, {
    ...head(texts, letter.sale.project.symbol, texts.preview(wallet.address)),
    parts: [
      text(hello(letter)),
      text(texts.text),
      addressPart(letter, wallet.address),
      facts(factOf(labels.network, wallet.network), formerOf(letter, wallet)),
      text(texts.ifItWasNot),
      button(letter, open, '/account#wallet'),
      ...questions(letter, null),
    ],
  })
}

/** Even a mail that comes too late to cancel anything is the first that the owner hears of it. */
export const walletChangeWaitsMessage: WalletMail = (letter, wallet) =>
  wallet.effectiveAt > letter.now
    ? changeMessage(letter, wallet, 'changeWaits')
    : walletSetMessage(letter, wallet)

export const walletChangeSoonMessage: WalletMail = (letter, wallet) =>
  changeMessage(letter, wallet, 'changeSoon')

export const walletChangeCancelledMessage: WalletMail = (letter, wallet) => {
  const { changeCancelled: texts, open } = letter.texts.wallet
  return write(letter, {
    ...head(texts, letter.sale.project.symbol),
    parts: [
      text(hello(letter)),
      text(texts.by[wallet.endedBy]),
      addressPart(letter, wallet.address),
      text(texts.ifItWasNot),
      button(letter, open, '/account#wallet'),
      ...questions(letter, null),
    ],
  })
}

function setMessage(letter: Letter, wallet: WalletDetails, which: 'set' | 'setForYou'): Message {
  const { [which]: texts, labels, compare, open } = letter.texts.wallet
  return write(letter, {
    ...head(texts, letter.sale.project.symbol, texts.preview(wallet.address)),
    parts: [
      text(hello(letter)),
      text(texts.text),
      addressPart(letter, wallet.address),
      facts(factOf(labels.network, wallet.network)),
      text(compare),
      text(texts.ifItWasNot),
      button(letter, open, '/account#wallet'),
      ...questions(letter, null),
    ],
  })
}

/** With a way to cancel without logging in: a thief may have the account by now. */
function changeMessage(
  letter: Letter,
  wallet: WalletDetails,
  which: 'changeWaits' | 'changeSoon',
): Message {
  const { [which]: texts, labels, ...others } = letter.texts.wallet
  const { effectiveAt } = wallet
  return write(letter, {
    ...head(texts, letter.sale.project.symbol, texts.preview(wallet.address)),
    parts: [
      text(hello(letter)),
      text(texts.text(deadlineText(letter.language, effectiveAt, letter.now))),
      addressPart(letter, wallet.address),
      facts(
        factOf(labels.network, wallet.network),
        fact(labels.effective, instantText(letter.language, effectiveAt)),
        formerOf(letter, wallet),
      ),
      text(others.ifItWasYou),
      text(others.ifItWasNot),
      button(letter, others.cancel, `/cancel-wallet?token=${encodeURIComponent(wallet.token)}`),
      ...questions(letter, null),
    ],
  })
}

const hello = ({ texts, name }: Letter) => texts.account.hello(name)

function formerOf({ texts }: Letter, { former }: Pick<WalletDetails, 'former'>): Fact | null {
  if (former === null) return null
  return { label: texts.wallet.labels.former, value: former, isAddress: true }
}
