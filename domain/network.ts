/**
 * The network that an IP address belongs to, as far as one household or office goes: the first 24
 * bits of an IPv4 address, the first 48 of an IPv6 one. What is no address stands for itself.
 */
export function networkOf(address: string): string {
  const v4 = /^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/i.exec(address)?.[1]
  if (v4 !== undefined) return `${v4}.0/24`
  return address.includes(':') ? `${firstGroups(address).join(':')}::/48` : address
}

const GROUPS = 8
const NETWORK_GROUPS = 3

function firstGroups(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, GROUPS - before.length - after.length)
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return groups.slice(0, NETWORK_GROUPS).map((group) => group.replace(/^0+(?=.)/, ''))
}
