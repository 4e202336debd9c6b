/** The calls of the contract that this server does not answer yet: each is a 404. */
export const notYet = {
  auth: ['startTwoFactor', 'confirmTwoFactor', 'endTwoFactor'],
  users: ['eraseUser', 'exportUser'],
} as const
