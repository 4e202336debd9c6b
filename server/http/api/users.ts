import { ownExportContract } from '#contract/export.ts'
import { usersContract } from '#contract/users.ts'
import { deviceName } from '#domain/accounts/device.ts'
import { endSession, endSessions, listSessions } from '#server/use-cases/sessions/own-sessions.ts'
import { eraseUser } from '#server/use-cases/accounts/erase-user.ts'
import { exportUser } from '#server/use-cases/accounts/export-user.ts'
import { getReferralLink, getReferrals } from '#server/use-cases/accounts/get-referrals.ts'
import { getUser, updateUser } from '#server/use-cases/accounts/own-user.ts'
import { listTransactions } from '#server/use-cases/purchases/read-transactions.ts'
import { implement } from '#server/http/routing/implement.ts'
import { presentExport } from './present-export.ts'
import { presentTransaction } from './present-transaction.ts'
import { presentUser } from './present-user.ts'
import { readMobile } from './read-mobile.ts'
import { rowToWire, tokensToWire } from '#contract/codec.ts'

export const ownExportRoutes = implement(ownExportContract, {
  exportUser: async (services, { params }, caller) =>
    presentExport(await exportUser(services, params.id, caller), services),
})

export const usersRoutes = implement(usersContract, {
  getUser: async (services, { params }, caller) =>
    presentUser(await getUser(services, params.id, caller), services.sale.project),
  updateUser: async (services, { params, body }, caller) => {
    const { first_name, last_name, nationality, mobile, language } = body
    const changes = { first_name, last_name, nationality, language, mobile: readMobile(mobile) }
    const account = await updateUser(services, { userId: params.id, changes }, caller)
    return presentUser(account, services.sale.project)
  },
  eraseUser: (services, { params, body }, caller) =>
    eraseUser(services, { userId: params.id, proof: body ?? {} }, caller),
  listTransactions: async (services, { params, query }, caller) => {
    const page = await listTransactions(services, { userId: params.id, ...query }, caller)
    return { ...page, data: page.items.map((item) => presentTransaction(item, services)) }
  },
  getReferrals: async (services, { params }, caller) => {
    const { referredCount, earned } = await getReferrals(services, params.id, caller)
    return {
      referred: referredCount,
      earned_tokens: tokensToWire(earned, services.sale.project.decimals),
    }
  },
  getReferralLink: (services, { params }, caller) => ({
    link: getReferralLink(services, params.id, caller),
  }),
  listSessions: async (services, { params }, caller) => {
    const sessions = await listSessions(services, params.id, caller)
    return sessions.map((session) => ({
      ...rowToWire(session),
      device: deviceName(session.user_agent),
    }))
  },
  endSessions: (services, { params }, caller) => endSessions(services, params.id, caller),
  endSession: (services, { params }, caller) =>
    endSession(services, { userId: params.id, sessionId: params.session_id }, caller),
})
