const GROUP_LENGTH = 4

export interface AddressGroups {
  /** What all addresses of the kind begin with, up to its last dash or colon; often empty. */
  prefix: string
  /** The rest by fours. What does not fit stands before the last group, which is always whole. */
  groups: { text: string; at: number }[]
}

/** An address or hash in the pieces that people compare. */
export function addressGroups(address: string): AddressGroups {
  const [, prefix = '', rest = ''] = /^(.*[-:])?([^-:]*)$/.exec(address) ?? []
  const tailAt = Math.max(0, rest.length - GROUP_LENGTH)
  const texts = [...chunks(rest.slice(0, tailAt)), rest.slice(tailAt)].filter((text) => text !== '')
  return { prefix, groups: texts.map((text, at) => ({ text, at })) }
}

function chunks(text: string): string[] {
  return text.match(new RegExp(`.{1,${GROUP_LENGTH}}`, 'g')) ?? []
}
