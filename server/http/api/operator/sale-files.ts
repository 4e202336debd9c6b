import {
  saleFilesContract,
  type SaleChange as WireChange,
  type SaleFile as WireFile,
  type SaleFileCheck as WireCheck,
  type SaleFileEntry as WireEntry,
  type SalePart,
} from '#contract/operator/sale-files.ts'
import { instantToWire, orNull } from '#contract/codec.ts'
import { camelKeys } from '#domain/key-case.ts'
import { describeSale, NOTHING } from '#domain/sale/changes/describe-sale.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { implement } from '#server/http/routing/implement.ts'
import { applySaleFile } from '#server/use-cases/sale-files/apply-sale-file.ts'
import {
  checkSaleFile,
  type CheckedSaleFile,
} from '#server/use-cases/sale-files/check-sale-file.ts'
import {
  getAppliedFile,
  getSaleFile,
  listSaleFiles,
} from '#server/use-cases/sale-files/list-sale-files.ts'

export const saleFilesRoutes = implement(saleFilesContract, {
  getSaleFile: async (services) => presentFile(await getAppliedFile(services)),
  listSaleParts: ({ sale }) => ({ data: presentParts(sale) }),
  listSaleFiles: async (services, { query }) => {
    const { items, after } = await listSaleFiles(services, query)
    return { data: items.map(presentEntry), after: orNull(after, String) }
  },
  getAppliedSaleFile: async (services, { params }) =>
    presentFile(await getSaleFile(services, params.id)),
  checkSaleFile: async (services, { body: { text } }) =>
    presentCheck(await checkSaleFile(services, text), text),
  applySaleFile: async (services, { body }, operator) =>
    presentFile(await applySaleFile(services, camelKeys(body), operator)),
})

function presentParts(sale: Sale): SalePart[] {
  const stageNames = new Map(sale.stages.map(({ id, name }) => [id, name]))
  return Object.entries(describeSale(sale)).map(([part, fields]) => {
    const stageName = stageNames.get(part)
    const kind = kindsOfParts.find((each) => part === each || part.startsWith(`${each} `))
    return {
      kind: kind ?? 'stage',
      name: stageName ?? (kind === undefined ? part : part.slice(kind.length).trim()),
      fields: Object.entries(fields)
        .filter(([, value]) => value !== NOTHING)
        .map(([field, value]) => ({ field, value })),
    }
  })
}

const kindsOfParts = ['sale', 'project', 'payment token', 'promotion', 'banner'] as const

type Entry = Awaited<ReturnType<typeof listSaleFiles>>['items'][number]

function presentEntry({ id, sha256, source, applied_at, operator, changes }: Entry): WireEntry {
  return {
    id: String(id),
    hash: sha256,
    source,
    applied_date: instantToWire(applied_at),
    applied_by: operator,
    changes: changes.map(presentChange),
  }
}

function presentFile(file: Entry & { text: string }): WireFile {
  return { ...presentEntry(file), text: file.text }
}

function presentChange(change: Entry['changes'][number]): WireChange {
  const { label, field, before, after } = change
  const concerns = 'concerns' in change ? change.concerns : change.changesMoney ? 'money' : 'words'
  return { part: label, field, before, after, concerns }
}

function presentCheck(
  { hash, appliedId, faults, changes, warnings }: CheckedSaleFile,
  text: string,
): WireCheck {
  const lines = text.split(/\r?\n/)
  return {
    hash,
    applied_id: String(appliedId),
    faults: faults.map(({ line, column, path, message }) => ({
      line,
      column,
      path,
      message,
      text: lines[line - 1] ?? '',
    })),
    changes: changes.map(presentChange),
    warnings: [...warnings],
  }
}
