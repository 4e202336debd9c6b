import { footerLines, type Message, type MessagePart, type Sender } from './message.ts'

/** The plain-text form of a mail. */
export function renderText(message: Message, sender: Sender): string {
  const blocks = [
    message.heading,
    ...message.parts.map(renderPart),
    `--\n${footerLines(sender).join('\n')}`,
  ]
  return `${blocks.join('\n\n')}\n`
}

function renderPart(part: MessagePart): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'button':
      return `${part.label}:\n${part.url}`
    case 'facts':
      return part.facts.map(({ label, value }) => `${label}: ${value}`).join('\n')
  }
}
