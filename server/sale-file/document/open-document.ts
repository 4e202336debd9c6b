import {
  type Alias,
  type Document,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml'
import type { Position, SaleFileFault } from '#domain/sale/sale-reading.ts'
import type { Source } from './place.ts'

/** Deeper than any sale, and far from exhausting the parser's stack. */
const NESTING_MAX = 64

/** A parsed YAML text; its faults accumulate while it is read. */
export type OpenDocument = {
  source: Source
  /** Every fault so far, in the order of the lines. */
  faults(): SaleFileFault[]
  /** The position of a path, or of what encloses it. */
  locate: (path: string) => Position
}

/** Parses one YAML document. Read on only if there are no syntax faults. */
export function openDocument(text: string): OpenDocument {
  const lines = new LineCounter()
  const deepLine = findDeepNesting(text)
  const document = parseDocument(deepLine === null ? text : '', {
    // Every scalar remains text: no amount passes through a float.
    schema: 'failsafe',
    merge: false,
    // Repeated keys are found while reading, where their path is known.
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
  })
  const faults = new Map<string, SaleFileFault>()
  const offsets = new Map<string, number>()
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const report = (offset: number, path: string, message: string) => {
    const fault = { ...positionOf(offset), path, message }
    faults.set(JSON.stringify(fault), fault)
  }

  if (deepLine !== null) {
    report(
      0,
      '',
      `expected at most ${NESTING_MAX} levels of nesting, found more in line ${deepLine}`,
    )
  }
  const faultyLines = new Set<number>()
  for (const { code, message, pos } of [...document.errors, ...document.warnings]) {
    const { line } = positionOf(pos[0])
    // Further faults in the same line are mostly consequences of the first.
    if (faultyLines.has(line)) continue
    faultyLines.add(line)
    report(pos[0], '', syntaxFaults[code] ?? `expected correct YAML, found a fault: ${message}`)
  }

  const targets = findTargets(document)
  return {
    source: {
      document,
      targetOf: (alias) => targets.get(alias),
      report,
      remember: (path, offset) => offsets.set(path, offset),
    },
    faults: () => [...faults.values()].toSorted(byPlace),
    locate: (path) => positionOf(offsets.get(nearest(path, offsets)) ?? 0),
  }
}

/** What each alias stands for. To resolve one alone, the parser goes through the whole document. */
function findTargets(document: Document): ReadonlyMap<Alias, Node> {
  const anchored = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(document, {
    Value: (_key, node) => {
      if (node.anchor !== undefined) anchored.set(node.anchor, node)
    },
    Alias: (_key, alias) => {
      const target = anchored.get(alias.source)
      if (target !== undefined) targets.set(alias, target)
    },
  })
  return targets
}

/** Messages for YAML features that a sale file does not support. */
const syntaxFaults: Partial<Record<string, string>> = {
  MULTIPLE_DOCS: 'expected one document, found another after ---',
  TAG_RESOLVE_FAILED: 'expected a value without a tag, found one that begins with !',
}

function byPlace(first: SaleFileFault, second: SaleFileFault): number {
  return first.line - second.line || first.column - second.column
}

/** The longest known prefix of `path`. */
function nearest(path: string, known: ReadonlyMap<string, number>): string {
  let part = path
  while (part !== '' && !known.has(part)) part = part.replace(/(?:^|\.)[^.[]+$|\[\d+\]$/, '')
  return part
}

/** The line in which the text is nested too deeply for the parser, which is recursive. */
function findDeepNesting(text: string): number | null {
  let line = 1
  let flowDepth = 0
  let indicators = 0
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === '[' || lexeme === '{') flowDepth++
    else if (lexeme === ']' || lexeme === '}') flowDepth--
    else if (lexeme === '-' || lexeme === '?' || lexeme === ':') indicators++
    else if (lexeme === ',' || lexeme.includes('\n')) indicators = 0
    if (flowDepth + indicators > NESTING_MAX) return line
    line += lexeme.split('\n').length - 1
  }
  return null
}
