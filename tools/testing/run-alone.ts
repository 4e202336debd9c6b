import type { PartSummary, TestFailure } from './test-parts.ts'

/** Files of a part that are worth a second look; where more fail, it is no matter of chance. */
const MOST_FILES = 3

/** Files to run again alone, without anything beside them; none where that would say nothing. */
export function filesToRunAlone({ failures }: PartSummary): string[] {
  const isOfNoTest = failures.some(({ name }) => name === '')
  const files = [...new Set(failures.map(({ file }) => file))]
  return isOfNoTest || files.length > MOST_FILES ? [] : files
}

/**
 * What a part came to after its failed files ran alone: a test that failed again has failed, and so
 * has one that fails only now. `passedAlone` is what else had failed, for everybody to read.
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
