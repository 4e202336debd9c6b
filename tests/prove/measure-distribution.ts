/**
 * Measures what a distribution to many wallets takes: `node tests/prove/measure-distribution.ts
 * <url of a PostgreSQL server> [wallets] [tools]`. It makes a database there and drops it
 * afterwards, starts the server on it, makes a distribution with each tool, and downloads its
 * files. For each it prints how long it took, the most memory that the server had by then, and the
 * longest that another call waited meanwhile.
 */
import { createHash } from 'node:crypto'
import { json } from 'node:stream/consumers'
import type pg from 'pg'

import { distributionTools, type DistributionTool } from '#domain/delivery/distribution.ts'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { type MeasuredServer, onMeasuredServer, print } from './measured-server.ts'

const [serverUrl = '', count = '1000000', tools = 'openzeppelin,uniswap,sablier_instant,plain'] =
  process.argv.slice(2)
const WALLETS = Number(count)

const SALE_FILE = SMALL_SALE_FILE.replace(
  '  links: { header: {}, footer: {} }\n',
  `  links: { header: {}, footer: {} }
  contract: { chain: BSC, address: '0x5FbDB2315678afecb367f032d93F642f64180aa3' }
`,
).concat('delivery: { chain: BSC, chain_id: 56 }\n')

await onMeasuredServer(serverUrl, { saleFile: SALE_FILE, fill }, async (server) => {
  print(`${WALLETS} wallets`)
  for (const tool of tools.split(',')) {
    const known = distributionTools.find((each) => each === tool)
    if (known !== undefined) await measure(known, server)
  }
})

/** Owners of 1 to some thousand tokens each, and their wallets. */
async function fill(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ stage_id: string }>(
    'select stage_id from stage_counters order by 1 limit 1',
  )
  const stageId = rows[0]?.stage_id ?? ''
  await client.query(`
    -- What is written here fits: nobody needs to look each reference up.
    set session_replication_role = replica;
    create temporary table seeded as
    select nth, gen_random_uuid() as id, (nth % 9973 + 1) * 1000001::numeric as tokens,
      -- Their checksums do not matter here: leaves are of the bytes.
      '0x' || lpad(to_hex(nth::bigint * 7919), 40, 'a1b2c3d4e5') as address
    from generate_series(1, ${WALLETS}) as nth;
    insert into users (id, email, password_hash, first_name, last_name, nationality, created_at)
    select id, id || '@example.com', '', 'Grace', 'Hopper', 'US', now() from seeded;
    insert into snapshots
    select 1, now(), 1, sum(tokens), count(*), count(*), decode(repeat('00', 32), 'hex'), null
    from seeded;
    insert into snapshot_leaves
      (snapshot, cause_id, user_id, stage_id, tokens, salt, tree_index)
    select 1, gen_random_uuid(), id, '${stageId}', tokens, decode(repeat('00', 32), 'hex'), nth
    from seeded;
    insert into snapshot_owners select 1, id, tokens, address from seeded;
    analyze`)
}

async function measure(tool: DistributionTool, server: MeasuredServer): Promise<void> {
  const waits = server.askAllTheTime()
  const beganAt = performance.now()
  const made = (await json(await server.call('/distributions/create', { snapshot: 1, tool }))) as {
    id?: string
    rows?: number
    message?: string
    files?: { name: string; sha256: string; bytes: number }[]
  }
  if (made.id === undefined) throw new Error(made.message)
  const path = `/distributions/${made.id}`
  server.report(`${tool}: made, ${made.rows} rows`, beganAt)
  for (const { name: file, sha256, bytes } of made.files?.slice(0, 3) ?? []) {
    const startedAt = performance.now()
    const hash = createHash('sha256')
    for await (const piece of await server.call(`${path}/files/${file}`)) {
      hash.update(piece as Buffer)
    }
    if (hash.digest('hex') !== sha256) throw new Error(`${file} has another hash`)
    server.report(`${tool}: ${file}, ${Math.round(bytes / 1e6)} MB`, startedAt)
  }
  print(`${tool}: another call waited ${Math.round(await waits.stop())} ms at most`)
  await json(await server.call(`${path}/withdraw`, { reason: 'The measurement is over' }))
}
