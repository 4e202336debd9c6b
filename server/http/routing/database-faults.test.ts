import { expect, test } from 'vitest'

import { toErrorReply } from './errors.ts'

const fault = (message: string, code?: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { code })

test.each([
  ['the connection failed', fault('connection failure', '08006')],
  ['there are too many connections', fault('sorry, too many clients already', '53300')],
  ['a statement took too long', fault('canceling statement due to statement timeout', '57014')],
  ['the server is shutting down', fault('terminating connection', '57P01')],
  ['two transactions blocked each other', fault('deadlock detected', '40P01')],
  ['a lock was not to be had', fault('canceling statement due to lock timeout', '55P03')],
  ['a transaction stood idle', fault('terminating connection', '25P03')],
  ['a connection was closed meanwhile', fault('Client was closed and is not queryable')],
  ['nobody listens', fault('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED')],
  ['the network broke', fault('write EPIPE', 'EPIPE')],
  ['no connection was free', fault('timeout exceeded when trying to connect')],
  ['no answer came', fault('Query read timeout')],
  ['the connection ended', fault('Connection terminated unexpectedly')],
])('where %s, the call is worth trying again', (_, thrown) => {
  expect(toErrorReply(thrown)).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    body: { reason: 'Unavailable' },
    isFault: true,
  })
})

test.each([
  ['a rule was broken', fault('violates check constraint', '23514')],
  ['a table is missing', fault('relation does not exist', '42P01')],
  ['anything else happened', fault('x is not a function')],
])('where %s, it is a fault of the server', (_, thrown) => {
  expect(toErrorReply(thrown)).toMatchObject({ status: 500, body: { reason: 'InternalError' } })
})
