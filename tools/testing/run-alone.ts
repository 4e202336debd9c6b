import type { PartSummary, TestFailure } from './test-parts.ts'

/** The most files that are worth another run; if more fail, it is not a matter of chance. */
const MOST_FILES = 3

/** The files to run again, alone; none if that would prove nothing. */
export function filesToRunAlone({ failures }: PartSummary): string[] {
  const isOfNoTest = failures.some(({ name }) => name === '')
  const files = [...new Set(failures.map(({ file }) => file))]
  return isOfNoTest || files.length > MOST_FILES ? [] : files
}

/**
 * The result of a part after its failed files ran alone: a test that failed again has failed, and
 * so has one that fails only now. `passedAlone` lists the other failures, for everybody to read.
 */
export function afterRunningAlone(
  first: PartSummary,
  alone: PartSummary,
): { summary: PartSummary; passedAlone: TestFailure[] } {
  if (alone.passed === 0) return { summary: first, passedAlone: [] }
  const isSame = (one: TestFailure) => (other: TestFailure) =>
    one.file === other.file && one.name === other.name
  const passedAlone = first.failures.filter((failure) => !alone.failures.some(isSame(failure)))
  const failedNow = alone.failures.filter((failure) => !first.failures.some(isSame(failure)))
  const change = passedAlone.length - failedNow.length
  const failures = [
    ...first.failures.filter((failure) => !passedAlone.includes(failure)),
    ...failedNow,
  ]
  return {
    summary: {
      ...first,
      passed: first.passed + change,
      failed: first.failed - change,
      failures,
    },
    passedAlone,
  }
}
