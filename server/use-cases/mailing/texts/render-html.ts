import { footerLines, type Message, type MessagePart, type Sender } from './message.ts'

/**
 * The HTML form of a mail: one column, styles on the elements and tables for the layout, because
 * that is what mail programs agree on. Nothing is loaded from anywhere.
 */
export function renderHtml(message: Message, sender: Sender): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(message.subject)}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f2ee;color:#1d1a17">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(message.preview)}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f2ee">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;table-layout:fixed;overflow-wrap:break-word;${FONT}">
<tr><td class="quiet" style="padding:0 0 16px;font-size:14px;font-weight:600;letter-spacing:.02em;color:#4a443d">
${escapeHtml(sender.projectName)}
</td></tr>
<tr><td class="card" style="padding:24px;color:#1d1a17;background:#ffffff;border:1px solid #e2ddd4;border-radius:12px">
<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:1.3;color:#1d1a17">${escapeHtml(message.heading)}</h1>
${message.parts.map(renderPart).join('\n')}
</td></tr>
<tr><td class="quiet" style="padding:16px 0 0;font-size:12px;line-height:1.6;color:#5f584f">
${footerLines(sender).map(escapeHtml).join('<br>')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

/** Dark colours for mail programs that read style sheets; others use the styles on the elements. */
const DARK =
  '@media (prefers-color-scheme:dark){' +
  '.page{background:#14120f!important;color:#f1ede6!important}' +
  '.card{background:#1f1c18!important;border-color:#3a352e!important;color:#f1ede6!important}' +
  '.ink{color:#f1ede6!important}.quiet{color:#b8b0a4!important}' +
  '.line{border-color:#3a352e!important}' +
  '.button{background:#f1ede6!important;color:#14120f!important}}'

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

function renderPart(part: MessagePart): string {
  switch (part.kind) {
    case 'text':
      return `<p style="margin:0 0 16px;font-size:16px;line-height:1.6">${escapeHtml(part.text)}</p>`
    case 'button':
      return renderButton(part.label, escapeHtml(part.url))
    case 'facts':
      return renderFacts(part.facts)
  }
}

/** The address is below as text too, for programs that show no links. */
function renderButton(label: string, url: string): string {
  const button =
    'display:inline-block;padding:12px 24px;border-radius:8px;background:#1d1a17;' +
    'color:#ffffff;font-size:16px;font-weight:600;text-decoration:none'
  const address =
    'margin:0 0 16px;font-size:12px;line-height:1.6;color:#5f584f;word-break:break-all'
  return `<p style="margin:8px 0 16px"><a class="button" href="${url}" style="${button}">${escapeHtml(label)}</a></p>
<p class="quiet" style="${address}">Or open this address: <a class="quiet" href="${url}" style="color:#5f584f">${url}</a></p>`
}

function renderFacts(facts: readonly { label: string; value: string }[]): string {
  const cell = 'padding:8px 0;border-top:1px solid #e2ddd4;font-size:14px;line-height:1.5'
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><td class="quiet line" style="${cell};color:#5f584f;padding-right:16px;width:30%">${escapeHtml(label)}</td>` +
      `<td class="line" style="${cell};text-align:right">${escapeHtml(value)}</td></tr>`,
  )
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="table-layout:fixed;margin:0 0 16px">
${rows.join('\n')}
</table>`
}

/** Escapes a text for HTML, in content as well as in quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
