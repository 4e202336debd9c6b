import type { Finding, Proof, Size } from './proof.ts'

export type ProofResult = {
  proof: Proof
  commit: string
  size: Size
  findings: readonly Finding[]
  at: Date
  seconds: number
  /** The machine's load over a minute, as the proof began. */
  loadBefore: string
}

export type ProofReport = {
  seed: number
  machine: string
  results: readonly ProofResult[]
}

const KINDS = [
  { kind: 'speed', title: 'Speed' },
  { kind: 'faults', title: 'Faults survived' },
  { kind: 'inputs', title: 'Bad inputs tried' },
] as const

/** What `npm run prove` writes into `docs/proof.md`. */
export function toMarkdown(report: ProofReport): string {
  const { results } = report
  const counts = countAssessments(results)
  const times = results.map(({ at }) => at.getTime())
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0)
  return [
    '# The proof',
    '',
    'What the product promises, tried and measured by one command, `npm run prove`. This is the report',
    'of one run, as it was printed, the bad with the good; one that was interrupted went on where it had stopped,',
    'maybe on a later commit or in another size: each section names its own.',
    '',
    `- **When**: from ${minuteOf(Math.min(...times))} to ${minuteOf(Math.max(...times))}, ${durationOf(seconds)} in all`,
    `- **Machine**: ${report.machine}`,
    `- **Seed**: ${report.seed}`,
    `- **Findings**: ${counts.held} held, ${counts.missed} missed their bar, ${counts.failed} failed, ${counts['not judged']} not judged`,
    '',
    'A figure is *not judged* where others used more than a tenth of the machine while it was taken, or',
    'where what it needs is not here. CPU per call is counted by the kernel and holds on a busy machine.',
    ...KINDS.flatMap(({ kind, title }) => [
      '',
      `## ${title}`,
      ...results.filter(({ proof }) => proof.kind === kind).flatMap(section),
    ]),
    '',
  ].join('\n')
}

function section(result: ProofResult): string[] {
  const { proof, size, commit, findings, at, seconds, loadBefore } = result
  return [
    '',
    `### ${proof.title}`,
    '',
    `\`npm run prove -- --${size} --only ${proof.name}\`, commit \`${commit}\`, ${minuteOf(at.getTime())}, ${durationOf(seconds)}, load before: ${loadBefore}`,
    '',
    '| promise | seen | bar | |',
    '| --- | --- | --- | --- |',
    ...findings.map(({ promise, seen, bar, assessment }) => {
      const cells = [promise, seen, bar, assessment === 'held' ? 'held' : `**${assessment}**`]
      return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
    }),
  ]
}

export function toLine({ promise, seen, bar, assessment }: Finding): string {
  const marks = { held: '✓', missed: '✗', failed: '✗✗', 'not judged': '–' }
  return `  ${marks[assessment]} ${promise}: ${seen} (${bar})${assessment === 'held' ? '' : `: ${assessment}`}`
}

export function countAssessments(
  results: readonly ProofResult[],
): Record<Finding['assessment'], number> {
  const counts = { held: 0, missed: 0, failed: 0, 'not judged': 0 }
  for (const { findings } of results) for (const { assessment } of findings) counts[assessment] += 1
  return counts
}

function minuteOf(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

export function durationOf(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${(seconds / 60).toFixed(1)} min`
}
