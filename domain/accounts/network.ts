/**
 * The network of an IP address, roughly one household or office: the first 24 bits of an IPv4
 * address, the first 48 of an IPv6 one. Text that is not an address is returned unchanged.
 */
export function networkOf(given: string): string {
  const address = withoutPort(given)
  const v4 = /^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/i.exec(address)?.[1]
  if (v4 !== undefined) return `${v4}.0/24`
  return address.includes(':') ? `${firstGroups(address, 3).join(':')}::/48` : address
}

/**
 * The part of an address that identifies one internet connection: an IPv4 address, or the first 64
 * bits of an IPv6 one, since its owner can change the other 64 for each call.
 */
export function connectionOf(given: string): string {
  const address = withoutPort(given)
  const v4 = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1]
  if (v4 !== undefined) return v4
  return address.includes(':') ? `${firstGroups(address, 4).join(':')}::/64` : address
}

/**
 * What identifies those who share a bound on unpaid reservations: the first 24 bits of an IPv4
 * address, the first 64 of an IPv6 one. IPv4 addresses are cheap by the dozen.
 */
export function sharedConnectionOf(address: string): string {
  return address.includes('.') ? networkOf(address) : connectionOf(address)
}

/** Some proxies add it, another for each connection: `203.0.113.9:51234`, `[2001:db8::1]:51234`. */
function withoutPort(address: string): string {
  return /^(?:\[(.+)\]|([\d.]+)):\d+$/.exec(address)?.slice(1).find(Boolean) ?? address
}

const GROUPS = 8

function firstGroups(address: string, count: number): string[] {
  const [head = '', tail = ''] = address.toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail.split(':')
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => '0')
  const groups = [...before, ...zeros, ...after]
  return groups.slice(0, count).map((group) => group.replace(/^0+(?=.)/, ''))
}
