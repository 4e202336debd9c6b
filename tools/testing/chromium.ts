import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

import { canInstallPackages, installPackage, run } from './install-package.ts'

/** In a container Chromium has neither a sandbox nor a graphics card, and it must not call home. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Chromium without a window: with it the browser tests take a third less processor time. */
const headlessShell = '/usr/bin/chromium-headless-shell'

const usualPlaces = [
  headlessShell,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const howToGetOne =
  'The browser tests need Chromium: install it (on Debian or Ubuntu "apt-get install chromium"), ' +
  'or set CHROMIUM_PATH to one, and run the command again.'

/** The path of an installed browser: CHROMIUM_PATH, a usual place, or Playwright's own. */
export async function findChromium(): Promise<string | undefined> {
  const named = process.env['CHROMIUM_PATH']
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM_PATH is ${named}, and there is no such file.`)
  }
  const { chromium } = await import('@playwright/test')
  return [...usualPlaces, chromium.executablePath()].find((path) => existsSync(path))
}

/**
 * Like `findChromium`, but installs one if there is none, or none without a window. Says so, and
 * shows the progress.
 */
export async function provideChromium(): Promise<string> {
  const isChosen = Boolean(process.env['CHROMIUM_PATH']) || existsSync(headlessShell)
  if (!isChosen && canInstallPackages()) await installPackage('chromium-headless-shell')
  const path = (await findChromium()) ?? (await installChromium())
  const probe = spawnSync(path, ['--version', ...chromiumFlags], { encoding: 'utf8' })
  if (probe.status === 0) return path
  const reason = probe.error?.message ?? probe.stderr.trim().split('\n')[0] ?? ''
  throw new Error(`${path} does not run (${reason}). ${howToGetOne}`)
}

async function installChromium(): Promise<string> {
  if (canInstallPackages() && (await installPackage('chromium'))) {
    if (existsSync('/usr/bin/chromium')) return '/usr/bin/chromium'
  }
  console.log("There is no Chromium here: downloading Playwright's own …")
  await run('npx', ['--no-install', 'playwright', 'install', 'chromium'])
  const path = await findChromium()
  if (!path) throw new Error(howToGetOne)
  return path
}
