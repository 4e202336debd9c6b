import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contract } from '#contract/contract.ts'
import { API_BASE, type Endpoint } from '#contract/endpoint.ts'
import { refusals } from '#contract/error-body.ts'
import { commands, readCommand } from '#server/operator/commands.ts'
import { projectRoot } from '#tools/project.ts'
import { readSources } from './source-files.ts'

const sources = readSources()
const documents = sources.filter(({ path }) => path.endsWith('.md'))
const fileNames = new Set(sources.map(({ path }) => basename(path)))

/** Where the links of a document lead within the project, as paths from its root. */
function linkedPaths(path: string, text: string): string[] {
  const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)[^)]*\)/g)]
  return links.map(([, target = '']) => normalize(join(dirname(path), target)))
}

test('every link between documents leads somewhere', () => {
  const broken = documents.flatMap(({ path, text }) =>
    linkedPaths(path, text)
      .filter((target) => target.startsWith('..') || !existsSync(join(projectRoot, target)))
      .map((target) => ({ path, target })),
  )

  expect(broken).toEqual([])
})

test('a link is followed from where its document is', () => {
  const text = 'See [a](../b.md#part), [c](d.md) and [e](https://example.com).'

  expect(linkedPaths('docs/decisions/0001-x.md', text)).toEqual([
    'docs/b.md',
    'docs/decisions/d.md',
  ])
})

test('every link to a heading leads to one', () => {
  const lost = documents.flatMap(({ path, text }) => lostHeadings(path, text))

  expect(lost).toEqual([])
})

test('a link to a heading that is gone is found, in its own document and in another', () => {
  const text = [
    '## What it costs, in `wei`',
    '[a](#what-it-costs-in-wei) [b](#what-it-cost) [c](README.md#run-it) [d](README.md#ran-it)',
  ].join('\n')

  expect(lostHeadings('x.md', text)).toEqual([
    'x.md: [b](#what-it-cost)',
    'x.md: [d](README.md#ran-it)',
  ])
})

/** Links to headings that are in no document under the anchor by which the link names them. */
function lostHeadings(path: string, text: string): string[] {
  const links = text.matchAll(/\[[^\]]*\]\((?!https?:)([^)\s#]*)#([^)\s]+)\)/g)
  return [...links].flatMap(([link, target = '', anchor = '']) => {
    const of = normalize(join(dirname(path), target))
    const linked = target === '' ? text : documents.find((each) => each.path === of)?.text
    return linked === undefined || anchorsOf(linked).has(anchor) ? [] : [`${path}: ${link}`]
  })
}

/** The anchors that GitHub makes of headings, but for those that repeat one. */
function anchorsOf(text: string): Set<string> {
  const headings = text.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm)
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

test('every path that a document names is there', () => {
  // A decision record names what existed at the time.
  const today = documents.filter(({ path }) => !path.startsWith('docs/decisions/'))
  const missing = today.flatMap(({ path, text }) =>
    missingPaths(text).map((named) => ({ path, named })),
  )

  expect(missing).toEqual([])
})

/**
 * Whole paths from the project's root, and names of files of ours; `{a,b}` stands for either, `*`,
 * `NNNN` and `x` for whatever there may be.
 */
function missingPaths(text: string): string[] {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
  return spans
    .filter((span) => !/\b(NNNN|x\.test)\b|<|…/.test(span))
    .flatMap(expandBraces)
    .filter((name) => {
      if (ROOT.test(name)) return globSync(name, { cwd: projectRoot }).length === 0
      return FILE_NAME.test(name) && !fileNames.has(name)
    })
}

const ROOT = /^(contract|domain|server|web|console|tests|tools|sales|docs)\/[\w./*-]+$/
const FILE_NAME = /^[\w.-]+\.(ts|tsx|sql)$/

function expandBraces(span: string): string[] {
  const [whole, parts] = /\{([^{}]*)\}/.exec(span) ?? []
  if (whole === undefined || parts === undefined) return [span]
  return parts.split(',').flatMap((part) => expandBraces(span.replace(whole, part.trim())))
}

test('every decision stands in the list of them, by its title', () => {
  const folder = 'docs/decisions/'
  const list = documents.find(({ path }) => path === `${folder}README.md`)?.text ?? ''
  const lines = documents.flatMap(({ path, text }) => {
    const title = /^# (\d+\. .+)/.exec(text)?.[1]
    return path.startsWith(folder) && title !== undefined
      ? [`- [${title}](${path.slice(folder.length)})`]
      : []
  })

  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => !list.includes(line))).toEqual([])
})

describe('what ARCHITECTURE.md names', () => {
  const architecture = documents.find(({ path }) => path === 'ARCHITECTURE.md')?.text ?? ''
  const schema = 'server/database/migrations/0001-first-schema/up.sql'

  test('is there: every path, and in its file every function that is linked', () => {
    expect(architecture).toContain('## The stories')
    expect(missingIn(architecture)).toEqual([])
  })

  test('is a link to the file where it is a function or a type', () => {
    expect(unlinkedNames(architecture)).toEqual([])
  })

  test('a function that is gone is found, and so are a path and a name without a link', () => {
    const text = [
      `[\`settleDue\`](domain/money.ts), [\`usd\`](domain/money.ts), [\`unpaid_of\`](${schema})`,
      '`domain/gone.ts`, `domain/sale`, `contract/<group>.ts`, `settleDue`, `is_gone`, `was_there`',
    ].join('\n')

    expect(missingIn(text)).toEqual([
      'domain/money.ts does not declare settleDue',
      `${schema} does not declare unpaid_of`,
      'there is no domain/gone.ts',
      `${schema} does not name was_there`,
    ])
    expect(unlinkedNames(text)).toEqual(['settleDue'])
  })

  test('is there in the tree of folders', () => {
    const [, tree = ''] = /^```\n(.*?)^```/ms.exec(architecture) ?? []
    const paths = pathsInTree(tree)

    expect(paths).toContain('server/use-cases')
    expect(paths.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([])
  })

  /** What the lines of a tree begin with; those indented belong to the last outer folder. */
  function pathsInTree(tree: string): string[] {
    let outer = ''
    return tree.split('\n').flatMap((line) => {
      const [, indent = '', names = ''] =
        /^( {0,2})((?:[\w-]+(?:\/|\.tsx?)(?: |$))+)/.exec(line) ?? []
      const paths = names
        .trim()
        .split(' ')
        .filter((name) => name !== '')
      if (indent === '' && paths.length > 0) outer = paths.at(-1) ?? ''
      return paths.map((name) => (indent === '' ? name : outer + name).replace(/\/$/, ''))
    })
  }

  /** Database names are in snake case, and all of them are in its schema. */
  function missingIn(text: string): string[] {
    const linked = [...text.matchAll(/\[`([^`/]+)`\]\(([^)#]+)\)/g)].flatMap(
      ([, name = '', path = '']) =>
        declares(path, name) ? [] : [`${path} does not declare ${name}`],
    )
    const spans = codeSpans(text)
    const stored = spans
      .filter((span) => /^[a-z]+(_[a-z]+)+$/.test(span))
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(read(schema)))
    return [
      ...linked,
      ...missingPaths(text).map((path) => `there is no ${path}`),
      ...stored.map((name) => `${schema} does not name ${name}`),
    ]
  }

  function unlinkedNames(text: string): string[] {
    return codeSpans(text).filter((span) => /^[a-z]+[A-Z]\w*$/.test(span))
  }

  /** Text between backticks that is not the text of a link. */
  function codeSpans(text: string): string[] {
    const prose = text.replace(/^```.*?^```/gms, '').replace(/\[`[^`]+`\]\([^)]+\)/g, '')
    return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
  }

  function declares(path: string, name: string): boolean {
    const declared = new RegExp(`\\b(function|const|type|class|create function) ${name}\\b`, 'i')
    return existsSync(join(projectRoot, path)) && declared.test(read(path))
  }

  function read(path: string): string {
    return readFileSync(join(projectRoot, path), 'utf8')
  }
})

const GLOBAL = /^--json |^--as \S+ |^--url \S+ /

/** The commands of the operator in lines of their own, without what the shell reads. */
function documentedCommands(text: string): string[] {
  const lines = [...text.matchAll(/^ .*npm run .*operator -- (.+)$/gm)].map(([, line = '']) => line)
  return lines.map((line) => {
    const [command = ''] = line.split(/ # | > | {2,}#/)
    return command.replace(GLOBAL, '').trim()
  })
}

/** Commands within sentences that have an argument or an option: a name alone may be cut short. */
function mentionedCommands(text: string): string[] {
  const prose = text.replace(/^```.*?^```/gms, '')
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = '']) =>
    span.replaceAll(/\s+/g, ' ').replace(/^.*operator -- /, ''),
  )
  const isNamed = (span: string) =>
    commands.some(({ name }) => span.startsWith(name.split(' ', 1)[0] + ' '))
  return spans.filter((span) => isNamed(span) && / (--\w|<)/.test(span))
}

/** As the shell splits it; `<…>` stands for something, and `@` for a file that is there. */
const wordsOf = (command: string) =>
  [...command.replaceAll(/<[^>]+>/g, 'x').matchAll(/["']([^"']*)["']|(\S+)/g)].map(
    ([, quoted, word = '']) => quoted ?? word.replace(/^@/, ''),
  )

describe('the operator’s command', () => {
  const faultOf = (command: string): string | null => {
    try {
      readCommand(wordsOf(command))
      return null
    } catch (fault) {
      return String(fault)
    }
  }
  const guides = documents.filter(({ path }) => /^docs\/[a-z-]+\.md$/.test(path))

  test('is read as every line of the guides writes it', () => {
    const written = guides.flatMap(({ text }) => documentedCommands(text))
    expect(written.length).toBeGreaterThan(40)
    const isShell = (command: string) => command === '…' || command === 'token'
    const refused = written.filter((command) => !isShell(command) && faultOf(command) !== null)
    expect(refused).toEqual([])
  })

  test('is read as the guides mention it, except for options that they leave out', () => {
    const mentioned = guides.flatMap(({ text }) => mentionedCommands(text))
    expect(mentioned.length).toBeGreaterThan(15)
    const refused = mentioned.filter((command) => {
      const sentence = faultOf(command)
      return sentence !== null && !sentence.includes('is missing')
    })
    expect(refused).toEqual([])
  })

  test('has every option that the guide to operating names by itself', () => {
    const [operating] = guides.filter(({ path }) => path === 'docs/operate.md')
    const spans = [...(operating?.text ?? '').matchAll(/`--([\w-]+)[^`]*`/g)]
    const named = spans.map(([, option = '']) => option)
    const options = commands.flatMap((command) => command.options.map(({ name }) => name))
    const known = new Set([...options, 'as', 'json', 'url', 'gas_gwei_max'])
    expect(named.filter((option) => !known.has(option))).toEqual([])
  })
})

test('the proxy of the guide lets the largest body of a call through', () => {
  const guide = documents.find(({ path }) => path === 'docs/go-live.md')?.text ?? ''
  // nginx allows one megabyte by itself.
  const allowed = Number(/^ *client_max_body_size (\d+)m;$/m.exec(guide)?.[1] ?? 1) * 1024 * 1024
  const calls = Object.values(contract).flatMap((group) => Object.values<Endpoint>(group))
  const largest = Math.max(...calls.map(({ bodyBytesMax = 0 }) => bodyBytesMax))
  expect(allowed).toBeGreaterThanOrEqual(largest)
  expect(guide).toContain(`bodies of ${largest / 1024} KiB`)
})

test('the proxy of the guide asks another instance where one closes, and for no other refusal', () => {
  const guide = documents.find(({ path }) => path === 'docs/go-live.md')?.text ?? ''
  const asked = [...guide.matchAll(/proxy_next_upstream (.*);/g)].map(([, on = '']) => on)
  const { status } = refusals.Restarting
  const others = Object.entries(refusals).filter(([reason]) => reason !== 'Restarting')
  expect(others.filter(([, refusal]) => refusal.status === status)).toEqual([])
  // A page's own files are the only ones that another version may have.
  expect(asked).toEqual([`error timeout http_${status}`, `error timeout http_${status} http_404`])
})

test('the proxy of the guide asks the other version for files that only that one has', () => {
  const guide = documents.find(({ path }) => path === 'docs/go-live.md')?.text ?? ''
  const blocks = guide.matchAll(/^ {4}location ~ (\S+) \{\n([^}]*)\}/gm)
  const asking = [...blocks].filter(([, , lines = '']) =>
    /proxy_next_upstream .*\bhttp_404\b/.test(lines),
  )
  const patterns = asking.map(([, pattern = '']) => new RegExp(pattern))
  const isAsked = (path: string) => patterns.some((pattern) => pattern.test(path))
  expect(['/assets/index-1a2b.js', '/operator/assets/main-1a2b.css'].filter(isAsked)).toHaveLength(
    2,
  )
  // A call that is refused as not found has been answered.
  expect(isAsked(`${API_BASE}/transactions/1`)).toBe(false)
})
