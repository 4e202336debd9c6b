import type { Brand } from './brand.ts'
import { escapeHtml } from './escape-html.ts'
import { inGroups } from './in-groups.ts'
import { colours, darkStyles, mono, phoneStyles, sans } from './mail-styles.ts'
import type { Fact, Message, MessagePart } from './letter.ts'

/** The name under which the logo is embedded in a mail. */
export const LOGO_CID = 'logo@presale'

const TABLE = '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"'
/** Outlook for Windows knows no maximum width, but reads these comments. */
const OUTLOOK_BEGIN =
  '<!--[if mso]><table role="presentation" width="560" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->'
const OUTLOOK_END = '<!--[if mso]></td></tr></table><![endif]-->'

/**
 * The HTML form of a mail: one column, with inline styles and tables for the layout, because that
 * is what mail programs agree on. Nothing is loaded from anywhere: the logo is embedded. The
 * language is given twice, since some programs remove the outermost elements.
 */
export function renderHtml(message: Message): string {
  const { language, brand, subject, preview, parts, footer } = message
  const { page, card, line, ink, quiet } = colours
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escapeHtml(subject)}</title>
<style>${phoneStyles}</style>
<style>${darkStyles}</style>
</head>
<body class="page" style="margin:0;padding:0;background:${page};color:${ink}">
<div lang="${language}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
${TABLE} class="page" bgcolor="${page}" style="background:${page}">
<tr><td align="center" style="padding:24px 12px">
${OUTLOOK_BEGIN}
${TABLE} style="max-width:560px;table-layout:fixed;overflow-wrap:break-word;${sans}">
<tr>${renderBand(brand)}</tr>
<tr>${renderBar(message)}</tr>
<tr><td class="card pad" bgcolor="${card}" style="padding:24px 24px 8px;color:${ink};background:${card};border:1px solid ${line};border-top:0;border-radius:0 0 12px 12px">
${parts.map(renderPart).join('\n')}
</td></tr>
<tr><td class="quiet pad" style="padding:16px 24px 0;font-size:12px;line-height:1.6;color:${quiet}">
${footer.map(escapeHtml).join('<br>')}
</td></tr>
</table>
${OUTLOOK_END}
</td></tr>
</table>
</div>
</body>
</html>
`
}

/** Also drawn as a picture, which programs that invert colours leave alone. */
function renderBand({ name, logo }: Brand): string {
  const { band, bandInk } = colours
  const type = `color:${bandInk};font-size:16px;line-height:24px;font-weight:600`
  const mark =
    logo === null
      ? escapeHtml(name)
      : `<img src="cid:${LOGO_CID}" width="${logo.width}" height="${logo.height}" alt="${escapeHtml(name)}" style="display:block;border:0;${type}">`
  const ground = `background:${band};background-image:linear-gradient(${band},${band})`
  return `<td class="pad" bgcolor="${band}" style="padding:16px 24px;${ground};border-radius:12px 12px 0 0;${type}">${mark}</td>`
}

/** What the mail is about, and its figure. */
function renderBar({ heading, figure }: Message): string {
  const { accent, accentInk } = colours
  const title =
    figure === null ? 'font-size:25px;line-height:1.2' : 'font-size:16px;line-height:1.5'
  const amount =
    figure === null
      ? ''
      : `\n<p style="margin:4px 0 0;font-size:31px;line-height:1.15;font-weight:700;letter-spacing:-.02em;color:${accentInk}">${escapeHtml(figure)}</p>`
  return `<td class="pad" bgcolor="${accent}" style="padding:20px 24px 24px;background:${accent};color:${accentInk}">
<h1 style="margin:0;${title};font-weight:700;color:${accentInk}">${escapeHtml(heading)}</h1>${amount}
</td>`
}

const paragraph = 'margin:0 0 16px;font-size:16px;line-height:1.6'

function renderPart(part: MessagePart): string {
  switch (part.kind) {
    case 'text':
      return `<p style="${paragraph}">${escapeHtml(part.text)}</p>`
    case 'question': {
      const { before, email, url, after, number } = part
      const style = 'margin:0 0 16px;font-size:14px;line-height:1.6'
      const end = `<span style="white-space:nowrap">${escapeHtml(number)}.</span>`
      return `<p style="${style}">${escapeHtml(before)}${renderLink(url, escapeHtml(email))}${escapeHtml(after)}${end}</p>`
    }
    case 'button':
      return renderButton(part)
    case 'facts':
      return renderFacts(part.facts)
    case 'address':
      return renderAddress(part)
  }
}

/** The address is also below as text, for programs that show no links. */
function renderButton({ label, url, hint }: Extract<MessagePart, { kind: 'button' }>): string {
  const { ink, card, quiet } = colours
  const place = escapeHtml(url)
  const face =
    `display:inline-block;padding:12px 24px;color:${card};font-size:16px;line-height:1.5;` +
    'font-weight:600;text-decoration:none'
  const address = `margin:0 0 16px;font-size:12px;line-height:1.6;color:${quiet};word-break:break-word`
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 12px"><tr>
<td class="action" bgcolor="${ink}" style="background:${ink};border-radius:8px"><a href="${place}" target="_blank" style="${face}">${escapeHtml(label)}</a></td>
</tr></table>
<p class="quiet" style="${address}">${escapeHtml(hint)} <a class="quiet" href="${place}" target="_blank" style="color:${quiet}">${place}</a></p>`
}

/** How many characters fit into the value column on a phone. */
const PHONE_VALUE_MAX = 25

/** Each row is a table of its own, so that it can be stacked separately. */
function renderFacts(facts: readonly Fact[]): string {
  if (facts.length === 0) return ''
  return `<div style="margin:0 0 24px">\n${facts.map(renderFact).join('\n')}\n</div>`
}

function renderFact({ label, value, url = null, isTotal, isAddress }: Fact): string {
  const { line, quiet } = colours
  const weight = isTotal === true ? ';font-weight:700' : ''
  const cell = `padding:8px 0;border-top:1px solid ${line};font-size:14px;line-height:1.5${weight}`
  const shown = isAddress === true ? renderGroups(value) : escapeHtml(value)
  const content = url === null ? shown : renderLink(url, shown)
  if (isAddress === true) {
    return (
      `${TABLE} style="table-layout:fixed"><tr><td class="line" style="${cell}">` +
      `<span class="quiet" style="color:${quiet}">${escapeHtml(label)}</span><br>${content}</td></tr></table>`
    )
  }
  const isLong = value.length > PHONE_VALUE_MAX
  const width = label.length > value.length ? '62%' : '38%'
  return (
    `${TABLE}${isLong ? ' class="long"' : ''} style="table-layout:fixed"><tr>` +
    `<td class="quiet line" valign="top" style="${cell};color:${quiet};padding-right:16px;width:${width}">${escapeHtml(label)}</td>` +
    `<td class="line" valign="top" style="${cell};text-align:right">${content}</td></tr></table>`
  )
}

/** In groups for comparing, and once more in one piece for copying. */
function renderAddress({ label, address, plain }: Extract<MessagePart, { kind: 'address' }>) {
  const { line, quiet } = colours
  const small = `margin:0;font-size:12px;line-height:1.6;color:${quiet}`
  return `${TABLE} style="table-layout:fixed;margin:0 0 24px"><tr><td class="line" style="padding:12px 16px;border:1px solid ${line};border-radius:8px">
<p class="quiet" style="${small}">${escapeHtml(label)}</p>
<p style="margin:4px 0 8px;font-size:16px;line-height:1.6;font-weight:600">${renderGroups(address)}</p>
<p class="quiet" style="${small};word-break:break-all">${escapeHtml(plain)}: <span style="${mono}">${escapeHtml(address)}</span></p>
</td></tr></table>`
}

/** The gaps are margins, not spaces, so the address is copied in one piece. */
function renderGroups(address: string): string {
  const groups = inGroups(address).map(
    (group) => `<span style="margin-right:6px">${escapeHtml(group)}</span><wbr>`,
  )
  return `<span style="${mono};word-break:normal">${groups.join('')}</span>`
}

/** @param shown HTML that is escaped already. */
function renderLink(url: string, shown: string): string {
  const { ink } = colours
  return `<a class="link" href="${escapeHtml(url)}" target="_blank" style="color:${ink}">${shown}</a>`
}
