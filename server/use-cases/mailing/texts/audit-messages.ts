import { parseDecimal, usd, USD_DECIMALS } from '#domain/money.ts'
import { actText } from '#domain/operators/act-text.ts'
import { centsText } from '#server/use-cases/sale/amount-texts.ts'
import { instantText } from './instant-texts.ts'
import { button, type Letter, write } from './letter.ts'
import { fact, facts, type Message, text } from './message.ts'

/** To owners. The console is in English, and so are its mails. */

type Params = Record<string, string>

/** Once a day: the head of the audit log. */
export function auditHeadMessage(letter: Letter, params: Params): Message {
  const { number = '', hash = '', at = '' } = params
  return write(letter, {
    subject: `The audit log of the ${letter.sale.project.name} presale: row ${number}`,
    preview: `Its hash is ${hash}.`,
    heading: 'Where the audit log ends',
    parts: [
      text('Hello,'),
      text(
        'keep this mail. If somebody cuts rows off the log of what operators do, or puts an older ' +
          'database back, verifying the log with this hash finds it.',
      ),
      facts(
        fact('Newest row', number),
        fact('When', instantText('en', new Date(at))),
        fact('Hash', hash),
      ),
      button(letter, 'Open the audit log', '/operator/audit'),
    ],
  })
}

/**
 * Something that takes two people was done with the server’s token, which needs only one. The act
 * is called as in the audit log.
 */
export function actedAloneMessage(letter: Letter, params: Params): Message {
  const { call = '', summary = '', name = '', usd: stake } = params
  const { name: project } = letter.sale.project
  return write(letter, {
    subject: `Done with the server’s token at the ${project} presale: ${actText(call)}`,
    preview: `${summary}.`,
    heading: 'Done without a second person',
    parts: [
      text('Hello,'),
      text(
        'something that takes two people was done with the server’s token, which is for emergencies. ' +
          'If you know nothing of it, change the token and look at the audit log.',
      ),
      facts(
        fact('What', summary),
        fact('By', name === '' ? 'Nobody gave a name' : `“${name}”, as they said`),
        ...(stake === undefined ? [] : [fact('At stake', stakeText(stake))]),
      ),
      button(letter, 'Open the audit log', '/operator/audit'),
    ],
  })
}

const stakeText = (text: string) => centsText(usd(parseDecimal(text, USD_DECIMALS) ?? 0n))
