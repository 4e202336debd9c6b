import { peopleContract } from '#contract/operator/people.ts'
import { presentExport } from '#server/http/api/present-export.ts'
import { implement } from '#server/http/routing/implement.ts'
import {
  endSessionsByOperator,
  endTwoFactorByOperator,
  erasePerson,
  exportPerson,
  getPerson,
  requirePasswordChange,
  resendVerification,
  searchPeople,
} from '#server/use-cases/people/people.ts'
import { presentPerson, presentPersonRecord, presentUserState } from './present-people.ts'

export const peopleRoutes = implement(peopleContract, {
  searchPeople: async (services, { query }) => {
    const { items, after } = await searchPeople(services, query)
    return { data: items.map(presentPerson), after }
  },
  getPerson: async (services, { params }, operator) =>
    presentPersonRecord(await getPerson(services, params.id, operator), services.sale),
  requirePasswordChange: async (services, { params }, operator) =>
    presentUserState(await requirePasswordChange(services, params.id, operator)),
  endUserTwoFactor: async (services, { params }, operator) =>
    presentUserState(await endTwoFactorByOperator(services, params.id, operator)),
  endUserSessions: async (services, { params }, operator) =>
    presentUserState(await endSessionsByOperator(services, params.id, operator)),
  resendVerification: async (services, { params }, operator) =>
    presentUserState(await resendVerification(services, params.id, operator)),
  exportPerson: async (services, { params }, operator) =>
    presentExport(await exportPerson(services, params.id, operator), services),
  erasePerson: (services, { params, body }, operator) =>
    erasePerson(services, { name: params.id, email: body.email }, operator),
})
