import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { API_BASE } from '#contract/endpoint.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { saleFilesContract } from '#contract/operator/sale-files.ts'
import { saleContract } from '#contract/sale.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { parseConfig } from '#server/config/config.ts'
import { readSaleText } from '#server/sale-file/read-sale-file.ts'
import { applySaleAtStart } from '#server/use-cases/sale/apply-sale.ts'
import { aPurchase } from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { OPERATOR_TOKEN, startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const operator = { accessToken: OPERATOR_TOKEN, headers: { 'operator-name': 'Olga' } }
const { getSaleFile, listSaleFiles, getAppliedSaleFile, checkSaleFile, applySaleFile } =
  saleFilesContract
const { saleFile } = parseConfig({})
const YEAR = /copyright_year: \d+/
const SHIPPED = readFileSync(saleFile, 'utf8')

let app: TestApp
let buyer: RegisteredUser
beforeAll(async () => {
  app = await startApp()
  buyer = await aUser(app)
})
afterAll(() => app.close())

async function applied() {
  return (await app.client.call(getSaleFile, {}, operator)).body
}

async function check(text: string) {
  return (await app.client.call(checkSaleFile, { body: { text } }, operator)).body
}

const send = (body: { text: string; hash: string; applied_id: string }) =>
  app.client.call(applySaleFile, { headers: {}, body }, operator)

async function apply(text: string) {
  const { hash, applied_id } = await check(text)
  return await send({ text, hash, applied_id })
}

/** The applied text with one part written otherwise. */
async function rewritten(from: RegExp, to: string): Promise<string> {
  const { text } = await applied()
  if (!from.test(text)) throw new Error(`The sale file has no ${from}.`)
  return text.replace(from, to)
}

const pathOf = (call: { path: string }) => API_BASE + call.path
const etagOf = async (url: string) => (await app.app.inject({ url })).headers.etag

describe('a sale file that is checked', () => {
  test('shows what it changes, from what to what, and whether that is money, links or words', async () => {
    const text = (await rewritten(YEAR, 'copyright_year: 2031'))
      .replace(/min_amount_fiat: [\d.]+/, 'min_amount_fiat: 77')
      .replace(/contact_email: .*/, 'contact_email: other@example.com')
    const checked = await check(text)
    expect(checked.faults).toEqual([])
    expect(checked.changes).toMatchObject([
      { part: 'project', field: 'copyright_year', after: '2031', concerns: 'words' },
      { part: 'project', field: 'contact_email', concerns: 'links' },
      { field: 'min_amount_fiat', after: '$77', concerns: 'money' },
    ])
    expect(await applied(), 'nothing is applied').toMatchObject({ id: checked.applied_id })
  })

  test('shows every fault with its line and what stands there', async () => {
    const text = (await rewritten(YEAR, 'copyright_yeer: 2031')).replace(
      /min_amount_fiat: [\d.]+/,
      'min_amount_fiat: lots',
    )
    const { faults, changes } = await check(text)
    expect(changes).toEqual([])
    expect(faults.length).toBeGreaterThan(1)
    const lines = text.split('\n')
    for (const { line, text: shown } of faults) expect(shown).toBe(lines[line - 1])
    expect(faults.map(({ text: shown }) => shown)).toContainEqual(expect.stringContaining('lots'))

    const refused = await apply(text)
    expect(refused.refusal).toMatchObject({ code: 409, reason: 'SaleFileFaulty' })
    expect(refused.refusal.errors?.[0]?.path).toMatch(/^text:\d+:\d+$/)
    expect((await applied()).text).not.toContain('copyright_yeer')
  })

  test('is refused where it would turn the sandbox into a sale with real payments', async () => {
    const text = (await applied()).text.replaceAll(
      /payment_provider_ids: .*$/gm,
      'payment_provider_ids: { nowpayments: eth }',
    )
    const { faults } = await check(text)
    expect(faults.length).toBeGreaterThan(0)
    expect((await apply(text)).status).toBe(409)
  })
})

test('a sale file is refused where it is longer than a sale file can be', async () => {
  const sized = (length: number) => ({ body: { text: '#'.repeat(length) } })
  const long = await app.client.call(checkSaleFile, sized(200_001), operator)
  expect(long.refusal.errors?.[0]?.message).toBe('Must be at most 200,000 characters')
  expect((await app.client.call(checkSaleFile, sized(600_000), operator)).status).toBe(413)
  expect((await app.client.call(checkSaleFile, sized(200_000), operator)).status).toBe(200)
})

describe('a sale file that is applied', () => {
  test('is what the pages and the calls show at once, with other ETags', async () => {
    const project = pathOf(saleContract.getCurrentProject)
    const before = await etagOf(project)
    const text = await rewritten(YEAR, 'copyright_year: 2032')
    const reply = await apply(text)
    expect(reply.body).toMatchObject({ source: 'console', applied_by: 'Olga', text })
    const { body } = await app.client.call(saleContract.getCurrentProject, {})
    expect(body.copyright_year).toBe(2032)
    expect(await etagOf(project)).not.toBe(before)
  })

  test('adds a banner and takes it away', async () => {
    const { text } = await applied()
    const banner = 'banners:\n  - { id: soon, message: The last days, tone: info }\n'
    const withBanner = /^banners:/m.test(text)
      ? text.replace(/^banners:\n/m, banner)
      : `${text}\n${banner}`
    await apply(withBanner)
    const ids = async () =>
      (await app.client.call(saleContract.listBanners, {})).body.map(({ id }) => id)
    expect(await ids()).toContain('soon')
    await apply(text)
    expect(await ids()).not.toContain('soon')
  })

  test('takes a new payment token, which can be bought in at once, and drops an unused one', async () => {
    const { text } = await applied()
    const [entry] = /^ {2}- id: eth\n(?: {4}.*\n)+/m.exec(text) ?? []
    if (entry === undefined) throw new Error('The sale file has no token eth.')
    const added = entry
      .replace('id: eth', 'id: newcoin')
      .replace(/short_name: .*/, 'short_name: NEW')
      .replace(/( name: ).*/, '$1Newcoin')
      .replace(/sandbox: \w+/, 'sandbox: newcoin')
    expect((await apply(text.replace(entry, entry + added))).status).toBe(200)
    const ids = async () =>
      (await app.client.call(saleContract.getCurrentProject, {})).body.payment_tokens.map(
        ({ id }) => id,
      )
    expect(await ids()).toContain('newcoin')
    const { body } = await app.client.call(saleContract.getPrices, {})
    expect(Object.keys(body)).toContain('NEW')
    expect((await apply(text)).status).toBe(200)
    expect(await ids()).not.toContain('newcoin')
  })

  test('is refused where rails with its rules cannot be built, though it has no new token', async () => {
    const { saleFiles } = app.services
    const { buildRails } = saleFiles
    saleFiles.buildRails = () => Promise.reject(new Error('No node answers'))
    const text = await rewritten(/expire_after_minutes: 30/, 'expire_after_minutes: 31')
    const reply = await apply(text)
    saleFiles.buildRails = buildRails
    expect(reply.refusal).toMatchObject({ code: 409, reason: 'SaleFileFaulty' })
    expect((await applied()).text).not.toBe(text)
  })

  test('has its rails tried though its durations, counted from today, would lead past an instant in it', async () => {
    const { saleFiles } = app.services
    const { buildRails } = saleFiles
    const ends = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const banner = `id: soon, message: The last days, tone: info, starts_date: P0D, ends_date: ${ends}`
    const mixed = await rewritten(/^banners:\n/m, `banners:\n  - { ${banner} }\n`)
    app.clock.pass(120_000)
    saleFiles.buildRails = () => Promise.reject(new Error('No node answers'))
    const reply = await apply(mixed.replace(/expire_after_minutes: 30/, 'expire_after_minutes: 31'))
    saleFiles.buildRails = buildRails
    expect(reply.refusal).toMatchObject({ code: 409, reason: 'SaleFileFaulty' })
    expect((await applied()).text).not.toContain(ends)
  })

  test('replaces one that this server cannot use', async () => {
    const text = await rewritten(YEAR, 'copyright_year: 2032')
    app.services.saleFileId -= 1n
    expect((await apply(text)).status).toBe(200)
    expect((await applied()).text).toBe(text)
  })

  test('is refused with the line where it would rewrite what was sold', async () => {
    await aPurchase(app, buyer)
    const { text } = await applied()
    const changed = text.replace(/token_price: [\d.]+/, 'token_price: 0.000001')
    const { faults } = await check(changed)
    const [fault] = faults
    expect(fault?.message).toContain('since tokens of this stage were sold')
    expect(fault?.text).toContain('0.000001')
    expect((await apply(changed)).refusal.reason).toBe('SaleFileFaulty')
    expect((await applied()).text).toBe(text)
  })

  test('is refused where its text or the applied one is another than was checked', async () => {
    const text = await rewritten(YEAR, 'copyright_year: 2033')
    const { hash, applied_id } = await check(text)
    const other = await send({ text: `${text}\n# more`, hash, applied_id })
    expect(other.refusal.reason).toBe('SaleFileChanged')
    await apply(`${(await applied()).text}# A comment\n`)
    const late = await send({ text, hash, applied_id })
    expect(late.refusal).toMatchObject({ code: 409, reason: 'SaleFileChanged' })
    expect((await applied()).text).not.toContain('copyright_year: 2033')
  })

  test('is in the history with who applied it and what it changed, and among the acts', async () => {
    const { body } = await app.client.call(listSaleFiles, { query: { limit: '2' } }, operator)
    expect(body.data).toHaveLength(2)
    const [newest] = body.data
    if (newest === undefined || body.after === null) throw new Error('There is no history.')
    const { body: stored } = await app.client.call(
      getAppliedSaleFile,
      { params: { id: newest.id } },
      operator,
    )
    expect(stored).toEqual(await applied())
    const older = { query: { after: body.after, limit: '100' } }
    const rest = (await app.client.call(listSaleFiles, older, operator)).body.data
    expect(rest.at(-1)).toMatchObject({ source: 'disk', applied_by: null })
    const acts = await app.client.call(operatorContract.listActions, { query: {} }, operator)
    expect(acts.body.data).toContainEqual(
      expect.objectContaining({
        act: 'applySaleFile',
        operator: 'Olga',
        details: expect.objectContaining({ saleFile: newest.id, hash: newest.hash }),
      }),
    )
    const missing = await app.client.call(
      getAppliedSaleFile,
      { params: { id: '999999' } },
      operator,
    )
    expect(missing.status).toBe(404)
  })
})

describe('a restart', () => {
  const start = (disk: string, change = (sale: Sale) => sale) =>
    applySaleAtStart({ database: app.open.database, clock: app.clock }, disk, (text, since) => {
      const reading = readSaleText(text, { folder: `${saleFile}/..`, firstAppliedAt: since })
      return reading.ok ? { ...reading, sale: change(reading.sale) } : reading
    })
  const withoutPictures = (sale: Sale): Sale => {
    const pictures = { logo: null, icon: null, socialPreview: null }
    return { ...sale, project: { ...sale.project, pictures } }
  }

  test('keeps what was applied at the console, until the file on the disk is another one', async () => {
    await apply(await rewritten(YEAR, 'copyright_year: 2034'))
    const { id } = await applied()
    const kept = await start(SHIPPED)
    expect(kept).toMatchObject({ fileId: BigInt(id), changes: [], source: 'console' })
    expect(kept.sale.project.copyrightYear).toBe(2034)

    const onDisk = await start(SHIPPED.replace(YEAR, 'copyright_year: 2035'))
    expect(onDisk.source).toBe('disk')
    expect(onDisk.sale.project.copyrightYear).toBe(2035)
    expect(await applied()).toMatchObject({ source: 'disk', applied_by: null })
    await app.services.followSale()
    const { body } = await app.client.call(saleContract.getCurrentProject, {})
    expect(body.copyright_year, 'and whoever still runs follows').toBe(2035)
  })
  test('says whose file it is, also once the pictures beside it have changed', async () => {
    await apply(await rewritten(YEAR, 'copyright_year: 2036'))
    const disk = SHIPPED.replace(YEAR, 'copyright_year: 2035')
    expect(await start(disk, withoutPictures)).toMatchObject({ source: 'console' })
    expect(await applied()).toMatchObject({ source: 'restart' })
    expect(await start(disk, withoutPictures)).toMatchObject({ source: 'console', changes: [] })

    await start(SHIPPED)
    expect(await start(SHIPPED, withoutPictures)).toMatchObject({ source: 'disk' })
    expect(await applied()).toMatchObject({ source: 'restart' })
    expect(await start(SHIPPED, withoutPictures)).toMatchObject({ source: 'disk', changes: [] })
  })
})

test('a change that was stored before links were told from words says whether it changed money', async () => {
  const change = { part: 'project', label: 'project', before: 'A', after: 'B' }
  const changes = JSON.stringify([
    { ...change, field: 'symbol', changesMoney: true },
    { ...change, field: 'name', changesMoney: false },
  ])
  await sql`insert into sale_files (text, sha256, source, applied_at, changes)
    values ('', ${'0'.repeat(64)}, 'console', now(), ${changes}::text::jsonb)`.execute(
    app.open.database,
  )
  const { body } = await app.client.call(listSaleFiles, { query: {} }, operator)
  expect(body.data[0]?.changes).toMatchObject([
    { field: 'symbol', concerns: 'money' },
    { field: 'name', concerns: 'words' },
  ])
})
