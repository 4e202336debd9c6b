import { expect, test } from 'vitest'

import { type AskedFor, hasApprover } from './approvers.ts'

const ada = { id: 'ada', role: 'owner' } as const
const finn = { id: 'finn', role: 'finance' } as const
const vera = { id: 'vera', role: 'viewer' } as const

const asked = (person: string | null): AskedFor => ({ permission: 'refunds.pay', person })

test('somebody else who may do it may approve it', () => {
  expect(hasApprover([ada, finn], asked('ada'))).toBe(true)
  expect(hasApprover([ada, finn], asked('finn'))).toBe(true)
})

test('nobody is left where the others may not do it', () => {
  expect(hasApprover([ada, vera], asked('ada'))).toBe(false)
  expect(hasApprover([ada], asked('ada'))).toBe(false)
})

test('what the server’s token asked for may be approved by whoever may do it', () => {
  expect(hasApprover([ada], asked(null))).toBe(true)
  expect(hasApprover([vera], asked(null))).toBe(false)
})
