const GROUP_LENGTH = 4

/**
 * An address or hash in groups of four, as people compare it. The prefix that all of its kind
 * share, up to the last dash or colon, comes first. An incomplete group stands before the last one,
 * which is always whole.
 */
export function inGroups(address: string): string[] {
  const [, prefix = '', rest = ''] = /^(.*[-:])?([^-:]*)$/.exec(address) ?? []
  const tailAt = Math.max(0, rest.length - GROUP_LENGTH)
  const head = rest.slice(0, tailAt).match(new RegExp(`.{1,${GROUP_LENGTH}}`, 'g')) ?? []
  return [prefix, ...head, rest.slice(tailAt)].filter((group) => group !== '')
}
