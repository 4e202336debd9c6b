import { expect, test } from 'vitest'

import { permissions, type Role, roles } from './permissions.ts'

/** What a role may do and a viewer may not. */
const more = (role: Role) =>
  permissions.filter((each) => roles[role].includes(each) && !roles.viewer.includes(each))

test('support sees people and holds purchases, and moves no money', () => {
  expect(more('support')).toEqual(['purchases.hold', 'people.read', 'people.help'])
})

test('finance decides about money, and pauses the sale', () => {
  expect(more('finance')).toEqual([
    'sale.pause',
    'purchases.hold',
    'purchases.release',
    'purchases.fail',
    'refunds.approve',
    'refunds.pay',
    'sweeps.manage',
    'people.read',
    'allocations.export',
    'purchases.export',
  ])
})

test('a viewer changes nothing but an account of their own', () => {
  const changes = roles.viewer.filter((each) => !each.endsWith('.read'))
  expect(changes).toEqual(['own.account'])
})
