import type { OperatorAction } from '#contract/operator/shapes.ts'

/** `payRefund` → `Pay refund`: the name of a call, in words. */
export function actText(act: string): string {
  const words = act.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Who acted, and whether their identity is verified. */
export function whoText({ kind, operator }: Pick<OperatorAction, 'kind' | 'operator'>): string {
  if (kind === 'server') return 'The server'
  if (kind === 'person') return operator ?? ''
  if (kind === 'key') return `Key “${operator ?? ''}”`
  return operator === null ? 'The server’s token' : `“${operator}”, by the server’s token`
}
