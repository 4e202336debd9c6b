import type { OperatorAction } from '#contract/operator/shapes.ts'

export function whoText({ kind, operator }: Pick<OperatorAction, 'kind' | 'operator'>): string {
  if (kind === 'server') return 'The server'
  if (kind === 'person') return operator ?? ''
  if (kind === 'key') return `Key “${operator ?? ''}”`
  return operator === null ? 'The server’s token' : `“${operator}”, by the server’s token`
}

/** Who did something, as a sentence goes on after 'by'. */
export function byText({ kind, operator }: Pick<OperatorAction, 'kind' | 'operator'>): string {
  if (kind === 'server') return 'the server'
  return operator ?? 'somebody with the server’s token'
}
