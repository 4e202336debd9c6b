import { describe, expect, test } from 'vitest'

import { connectionOf, networkOf, sharedConnectionOf } from './network.ts'

describe('the network of an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['203.0.113.250', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
    ['203.0.113.7:51234', '203.0.113.0/24'],
    ['2001:db8:17:4::1', '2001:db8:17::/48'],
    ['[2001:db8:17:4::1]:51234', '2001:db8:17::/48'],
    ['2001:0DB8:0017::', '2001:db8:17::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['2001:db8:0:0:0:0:0:1', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['', ''],
    ['unknown', 'unknown'],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})

describe('the connection of an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['2001:db8:17:4::1', '2001:db8:17:4::/64'],
    ['[2001:db8:17:4::1]:51234', '2001:db8:17:4::/64'],
    ['2001:0DB8:0017:0004:9:9:9:9', '2001:db8:17:4::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001::4:5:6:7:8', '2001:0:0:4::/64'],
    ['', ''],
    ['unknown', 'unknown'],
  ])('%s is %s', (address, connection) => {
    expect(connectionOf(address)).toBe(connection)
  })
})

describe('what may reserve tokens together', () => {
  test.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.250', '203.0.113.0/24'],
    ['203.0.113.7:51234', '203.0.113.0/24'],
    ['[2001:db8:17:4::1]:51234', '2001:db8:17:4::/64'],
    ['2001:db8:17:4::1', '2001:db8:17:4::/64'],
    ['2001:0DB8:0017:0004:9:9:9:9', '2001:db8:17:4::/64'],
    ['unknown', 'unknown'],
  ])('%s is %s', (address, connection) => {
    expect(sharedConnectionOf(address)).toBe(connection)
  })
})
