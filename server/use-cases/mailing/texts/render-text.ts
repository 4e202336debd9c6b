import { inGroups } from './in-groups.ts'
import type { Message, MessagePart } from './letter.ts'

export function renderText({ heading, figure, parts, footer }: Message): string {
  const blocks = [
    figure === null ? heading : `${heading}:\n${figure}`,
    ...parts.map(renderPart).filter((block) => block !== ''),
    `--\n${footer.join('\n')}`,
  ]
  return `${blocks.join('\n\n')}\n`
}

function renderPart(part: MessagePart): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'question':
      return `${part.before}${part.email}${part.after}${part.number}.`
    case 'button':
      return `${part.label}:\n${part.url}`
    case 'address':
      return `${part.label}: ${inGroups(part.address).join(' ')}\n${part.plain}: ${part.address}`
    case 'facts':
      return part.facts
        .flatMap(({ label, value, url }) => [`${label}: ${value}`, ...(url ? [url] : [])])
        .join('\n')
  }
}
