import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Small files that take long: without an earlier run's results, the largest files run first. */
export const LONG_FILES: readonly string[] = [
  'tests/api/accounts/stuffing.postgres.test.ts',
  'tests/api/purchases/fates.test.ts',
  'tests/api/delivery/large-snapshot.test.ts',
  'tests/api/operations/start.embedded.test.ts',
  'tests/api/operations/start-rights.postgres.test.ts',
  'tests/api/http/long-texts.embedded.test.ts',
]

/** Begins each project with these, so that its other workers do not wait for them at its end. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      LONG_FILES.some((path) => moduleId.endsWith(`/${path}`))
    // Called like this since the linter takes it for the sort of an array.
    const usual = await super.sort.call(this, files)
    const byProject = Map.groupBy(usual, ({ project }) => project)
    return [...byProject.values()].flatMap((ofProject) => [
      ...ofProject.filter(isLong),
      ...ofProject.filter((file) => !isLong(file)),
    ])
  }
}
