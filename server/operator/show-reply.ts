/** A reply as lines for people: `name: value`, with nested values indented. */
export function showReply(value: unknown, indent = ''): string {
  if (Array.isArray(value)) {
    return value
      .map((entry) => `${indent}- ${showReply(entry, `${indent}  `).trimStart()}`)
      .join('\n')
  }
  if (typeof value !== 'object' || value === null) return `${indent}${showScalar(value)}`
  return Object.entries(value)
    .map(([name, field]) => showField(name.replaceAll('_', ' '), field, indent))
    .join('\n')
}

function showField(label: string, value: unknown, indent: string): string {
  if (isEmpty(value)) return `${indent}${label}: none`
  if (typeof value !== 'object') return `${indent}${label}: ${showScalar(value)}`
  return `${indent}${label}:\n${showReply(value, `${indent}  `)}`
}

function isEmpty(value: unknown): boolean {
  if (value === null) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function showScalar(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}
