import type { OperatorAction } from '#contract/operator/shapes.ts'

export function whoText({ kind, operator }: Pick<OperatorAction, 'kind' | 'operator'>): string {
  if (kind === 'server') return 'The server'
  if (kind === 'person') return operator ?? ''
  if (kind === 'key') return `Key “${operator ?? ''}”`
  return operator === null ? 'The server’s token' : `“${operator}”, by the server’s token`
}
