const GROUP_LENGTH = 4

/**
 * An address or hash by fours, as people compare it: first what all of its kind begin with, up to
 * the last dash or colon. What does not fit stands before the last group, which is always whole.
 */
export function inGroups(address: string): string[] {
  const [, prefix = '', rest = ''] = /^(.*[-:])?([^-:]*)$/.exec(address) ?? []
  const tailAt = Math.max(0, rest.length - GROUP_LENGTH)
  const head = rest.slice(0, tailAt).match(new RegExp(`.{1,${GROUP_LENGTH}}`, 'g')) ?? []
  return [prefix, ...head, rest.slice(tailAt)].filter((group) => group !== '')
}
