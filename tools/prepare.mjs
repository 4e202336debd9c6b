/**
 * npm runs this after an install. It points git at the project's own hooks, and does nothing where
 * there is no working copy to guard: an image, a CI run, or a developer who has set other hooks.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** @param {...string} words */
const git = (...words) => spawnSync('git', words, { encoding: 'utf8' })

const isWorkingCopy = existsSync('.git') && !process.env['CI']
if (isWorkingCopy && git('config', 'core.hooksPath').stdout?.trim() === '') {
  git('config', 'core.hooksPath', '.githooks')
}
