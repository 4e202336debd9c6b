/** What people who run the sale may do, each with what it allows, in the words of a refusal. */
export const permissionTexts = {
  'own.account': 'manage an account of your own',
  'sale.read': 'see how the sale stands',
  'sale.pause': 'pause the sale',
  'sale.resume': 'resume the sale',
  'sale.apply': 'apply a sale file',
  'sale.close': 'close a sale below its soft cap',
  'purchases.read': 'see purchases',
  'purchases.hold': 'hold purchases',
  'purchases.release': 'release purchases that were held',
  'purchases.fail': 'fail purchases',
  'refunds.read': 'see refunds',
  'refunds.approve': 'approve and reject buyers’ claims to what is owed back',
  'refunds.pay': 'mark refunds as paid, and make batches of claims',
  'sweeps.manage': 'move received money to the treasury',
  'people.read': 'see the people who buy',
  'people.help': 'end sessions and two-factor login of people who buy',
  'people.export': 'export what is stored of a person',
  'people.erase': 'erase a person’s data',
  'allocations.export': 'export who is owed how many tokens',
  'allocations.freeze': 'close the books, which fixes who is owed how many tokens',
  'delivery.read': 'see how tokens are delivered',
  'delivery.manage': 'hand out tokens, and change where they go',
  'purchases.export': 'export purchases and refunds',
  'approvals.read': 'see what is waiting for a second person',
  'audit.read': 'see what operators did',
  'operators.read': 'see who the operators are',
  'operators.manage': 'invite, change and remove operators',
  'connections.manage': 'connect other software by keys and webhooks',
} as const

export type Permission = keyof typeof permissionTexts

export const permissions = Object.keys(permissionTexts) as readonly Permission[]

/**
 * What no API key may do, whatever it was given: a key is nobody, so it has no account, lets nobody
 * else in, is no second person, and neither approves a claim nor closes a sale.
 */
const forPeople: readonly Permission[] = [
  'own.account',
  'approvals.read',
  'operators.manage',
  'connections.manage',
  'refunds.approve',
  'sale.close',
  'allocations.freeze',
  'delivery.manage',
]

/** What it takes to be the second person for an act that waits for one. */
const approving = [
  'sale.resume',
  'sale.apply',
  'sale.close',
  'purchases.release',
  'refunds.approve',
  'refunds.pay',
  'sweeps.manage',
  'allocations.freeze',
  'delivery.manage',
] as const satisfies readonly Permission[]

export type ApprovingPermission = (typeof approving)[number]

/** What an API key may be given. */
export const keyPermissions = permissions.filter((each) => !forPeople.includes(each))

const viewer: readonly Permission[] = [
  'own.account',
  'sale.read',
  'purchases.read',
  'refunds.read',
  'delivery.read',
  'approvals.read',
  'audit.read',
  'operators.read',
]

const support: readonly Permission[] = [...viewer, 'people.read', 'people.help', 'purchases.hold']

const finance: readonly Permission[] = [
  ...viewer,
  'people.read',
  'sale.pause',
  'purchases.hold',
  'purchases.release',
  'purchases.fail',
  'purchases.export',
  'refunds.approve',
  'refunds.pay',
  'sweeps.manage',
  'allocations.export',
]

/** What each role may do. An owner may do everything. */
export const roles = { viewer, support, finance, owner: permissions } as const

export type Role = keyof typeof roles

export const roleNames = Object.keys(roles) as readonly Role[]

/** Whether a role approves acts of other people that the former one, if any, does not. */
export function approvesMore(role: Role, former: Role | null): boolean {
  const before: readonly Permission[] = former === null ? [] : roles[former]
  const now: readonly Permission[] = roles[role]
  return approving.some((each) => now.includes(each) && !before.includes(each))
}
