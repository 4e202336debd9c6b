import { availableParallelism } from 'node:os'

import { defineConfig } from '@playwright/test'

import { chromiumFlags, findChromium } from './tools/testing/chromium.ts'

const executablePath = await findChromium()
const summaryFile = process.env['TEST_SUMMARY_FILE']

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/kit/servers/shared-template.ts',
  outputDir: 'test-results',
  forbidOnly: summaryFile !== undefined,
  fullyParallel: false,
  workers: availableParallelism(),
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: summaryFile ? [['list'], ['json', { outputFile: summaryFile }]] : [['list']],
  use: {
    browserName: 'chromium',
    launchOptions: { args: chromiumFlags, ...(executablePath ? { executablePath } : {}) },
    // Playwright would take one of every test, before it knows how it ended: `faults` does it.
    screenshot: 'off',
    // Recording takes a third of each test's time: `--trace retain-on-failure` asks for it.
    trace: 'off',
  },
})
