import { BlockList, isIPv6 } from 'node:net'

/**
 * The parts of IPv4 that are not the public internet (IANA's registry of special-purpose
 * addresses).
 */
const notPublic = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  notPublic.addSubnet(network, bits, 'ipv4')
}

/** All of IPv6 that was ever assigned for the public internet: anything outside is refused. */
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/**
 * Parts of it that lead elsewhere: protocols, tunnels that contain IPv4 addresses, documentation.
 */
const notPublicV6 = new BlockList()
notPublicV6.addSubnet('2001::', 23, 'ipv6')
notPublicV6.addSubnet('2001:db8::', 32, 'ipv6')
notPublicV6.addSubnet('2002::', 16, 'ipv6')
notPublicV6.addSubnet('3fff::', 20, 'ipv6')

/**
 * Whether an IP address is on the public internet: not in a private network, on this machine,
 * link-local, in a provider's own network, a multicast group, or one that hides an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return !notPublic.check(address, 'ipv4')
  return globalUnicast.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6')
}
