import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Whether packages can be installed here without confirmation: on Debian or Ubuntu, as root. */
export function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}

/** Installs a package of Debian, showing the progress; false if that fails. */
export async function installPackage(name: string): Promise<boolean> {
  console.log(`There is no ${name} here: installing it with apt-get; this takes a minute or two …`)
  return (
    (await run('apt-get', ['update'])) &&
    (await run('apt-get', ['install', '-y', '--no-install-recommends', name]))
  )
}

/** Runs a command with its output shown; false if it cannot start or its exit code is not 0. */
export function run(command: string, words: string[]): Promise<boolean> {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return new Promise((resolve) => {
    spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit'], env: environment })
      .on('error', () => resolve(false))
      .on('close', (code) => resolve(code === 0))
  })
}
