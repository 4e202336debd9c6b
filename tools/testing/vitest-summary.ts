import { writeFileSync } from 'node:fs'

import type { Reporter, TestModule } from 'vitest/node'

import type { PartSummary } from './test-parts.ts'

/** Writes what each project of a run came to into a file, as `Record<project, PartSummary>`. */
export class SummaryReporter implements Reporter {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const summaries: Record<string, PartSummary> = {}
    for (const module of modules) {
      const summary = (summaries[module.project.name] ??= { passed: 0, failed: 0, skipped: 0 })
      const states = [...module.children.allTests()].map((test) => test.result().state)
      for (const state of states) {
        if (state === 'passed') summary.passed += 1
        else if (state === 'failed') summary.failed += 1
        else summary.skipped += 1
      }
      // A file that does not load has no tests to fail, and must be seen all the same.
      if (!module.ok() && !states.includes('failed')) summary.failed += 1
    }
    writeFileSync(this.#file, JSON.stringify(summaries))
  }
}
