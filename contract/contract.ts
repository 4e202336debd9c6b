import { authContract } from './auth.ts'
import { operatorContract } from './operator.ts'
import { saleContract } from './sale.ts'
import { sandboxContract } from './sandbox.ts'
import { transactionsContract } from './transactions.ts'
import { usersContract } from './users.ts'
import { webhooksContract } from './webhooks.ts'

/** Every call of the product, by group. */
export const contract = {
  auth: authContract,
  users: usersContract,
  sale: saleContract,
  transactions: transactionsContract,
  sandbox: sandboxContract,
  operator: operatorContract,
  webhooks: webhooksContract,
}
