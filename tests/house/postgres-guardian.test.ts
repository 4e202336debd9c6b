import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { expect, test } from 'vitest'
import { projectRoot } from '#tools/project.ts'

/** Starts a server and prints its address, as a test run does, and then stays alive. */
const script = `
  import { startPostgres, unsafeButFast } from '${join(projectRoot, 'tools/testing/start-postgres.ts')}'
  const { url } = await startPostgres(unsafeButFast)
  console.log(url)
  setInterval(() => {}, 1000)
`

async function folderOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  await client.end()
  return dirname(rows[0]?.data_directory ?? '')
}

test('a database server goes with its folder when the run that started it is killed', async () => {
  const run = spawn(process.execPath, ['--input-type=module', '--eval', script])
  const [url] = (await once(createInterface(run.stdout), 'line')) as [string]
  const folder = await folderOf(url)
  expect(existsSync(folder)).toBe(true)

  run.kill('SIGKILL')

  await expect.poll(() => existsSync(folder), { timeout: 20_000 }).toBe(false)
  await expect(folderOf(url)).rejects.toThrow('ECONNREFUSED')
})
