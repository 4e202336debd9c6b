import { writeFileSync } from 'node:fs'

import type { Reporter, TestModule } from 'vitest/node'

import type { PartSummary } from './test-parts.ts'

/** Writes the results of each project of a run into a file, as `Record<project, PartSummary>`. */
export class SummaryReporter implements Reporter {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const summaries: Record<string, PartSummary> = {}
    for (const module of modules) {
      const summary = (summaries[module.project.name] ??= {
        passed: 0,
        failed: 0,
        skipped: 0,
        failures: [],
      })
      let hasFailed = false
      const fail = (name: string, [error]: readonly { message: string }[] = []) => {
        hasFailed = true
        summary.failed += 1
        const fault = error?.message.split('\n', 1)[0] ?? 'no reason was given'
        summary.failures.push({ file: module.relativeModuleId, name, fault })
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        if (state === 'passed') summary.passed += 1
        else if (state === 'failed') fail(test.fullName, errors)
        else summary.skipped += 1
      }
      // A file that does not load has no tests to fail, but must still be noticed.
      if (!module.ok() && !hasFailed) fail('', module.errors())
    }
    writeFileSync(this.#file, JSON.stringify(summaries))
  }
}
