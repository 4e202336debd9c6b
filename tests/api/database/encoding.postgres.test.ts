import { randomBytes } from 'node:crypto'
import { expect, inject, test } from 'vitest'

import { DatabaseUnusable } from '#server/database/connection/database-unusable.ts'
import { openDatabase } from '#server/database/connection/open-database.ts'
import { databaseUrl, runOnServer } from '#tests/kit/servers/postgres-databases.ts'

/** As one is made where no language was chosen, and one that knows Western letters only. */
test.each(['SQL_ASCII', 'LATIN1'])('a database of the encoding %s is refused', async (encoding) => {
  const { serverUrl } = inject('postgres')
  const name = `presale_encoding_${randomBytes(6).toString('hex')}`
  const made = `create database ${name} encoding '${encoding}' locale_provider libc locale 'C' template template0`
  await runOnServer(serverUrl, made)
  try {
    const url = databaseUrl(serverUrl, name)
    const refusal = await openDatabase({ kind: 'postgres', url }).catch((fault: unknown) => fault)
    expect(refusal).toBeInstanceOf(DatabaseUnusable)
    const { message } = refusal as DatabaseUnusable
    expect(message).toContain(`${name} has the encoding ${encoding}`)
    expect(message).toContain('createdb makes it with --encoding=UTF8 --template=template0')
  } finally {
    await runOnServer(serverUrl, `drop database ${name}`)
  }
})
