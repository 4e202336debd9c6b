/**
 * Runs before `npm start`, `npm test` and the like, under whatever Node called npm: installs the
 * dependencies when they are missing or differ from the lock file, and makes sure that the Node the
 * project runs on (which comes from npm as well) is there. Plain JavaScript, because an older Node
 * cannot read TypeScript.
 *
 *     node tools/ensure-installed.mjs [script] [arguments …]
 *
 * A script that is named is run afterwards on the project's own Node.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const progressEveryMs = 10_000

/** npm looks in the project's own binaries first, so that is where to look here too. */
const environment = {
  ...process.env,
  PATH: [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter),
}

/** @typedef {{ version?: string, integrity?: string, optional?: boolean }} LockEntry */
/** @typedef {{ packages: Record<string, LockEntry> }} Lock */

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

/**
 * npm writes a copy of the lock file into node_modules as the last step of an install. Contents are
 * compared, not dates: git sets a new date whenever it changes branches. Packages for other
 * operating systems are optional and rightly absent.
 */
function isInstalled() {
  /** @type {Lock} */
  let installed
  try {
    installed = readJson('node_modules/.package-lock.json')
  } catch {
    return false
  }
  /** @type {Lock} */
  const wanted = readJson('package-lock.json')
  const paths = Object.keys({ ...wanted.packages, ...installed.packages })
  return paths.every((path) => {
    const want = wanted.packages[path]
    const have = installed.packages[path]
    if (path === '') return true
    if (!want) return false
    if (!have) return want.optional === true
    return want.version === have.version && want.integrity === have.integrity
  })
}

/** Includes are spelled out, because NODE_ENV=production alone would leave half of them away. */
function install() {
  const npmCli = process.env['npm_execpath'] ?? ''
  const flags = ['ci', '--include=dev', '--include=optional', '--loglevel=error', '--no-progress']
  const startedAt = Date.now()
  const seconds = () => Math.round((Date.now() - startedAt) / 1000)
  console.log('Installing the dependencies from npm; this takes about half a minute …')
  const ticker = setInterval(() => console.log(`  … ${seconds()} s`), progressEveryMs)
  const [program, ...words] = /npm-cli\.c?js$/.test(npmCli)
    ? [process.execPath, npmCli, ...flags]
    : ['npm', ...flags]
  const npm = spawn(program ?? 'npm', words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  // npm takes minutes to obey. Half an install is harmless: the next start does it again.
  process.once('SIGTERM', () => {
    npm.kill('SIGKILL')
    process.exit(143)
  })
  return new Promise((resolve, reject) => {
    npm.on('error', reject)
    npm.on('close', (code) => (code === 0 ? resolve(undefined) : reject(new Error(`code ${code}`))))
  })
    .then(() => console.log(`Dependencies installed in ${seconds()} s.`))
    .finally(() => clearInterval(ticker))
}

/**
 * @returns {string} what the project's Node says its version is, or nothing when it does not run
 */
function findNodeVersion() {
  const found = spawnSync('node', ['--version'], { env: environment, encoding: 'utf8' })
  return found.status === 0 ? found.stdout.trim().replace(/^v/, '') : ''
}

/** @param {string} version @param {string} minimum */
function isAtLeast(version, minimum) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [majorMin = 0, minorMin = 0] = minimum.split('.').map(Number)
  return major > majorMin || (major === majorMin && minor >= minorMin)
}

/** @param {string} sentence @returns {never} */
function refuse(sentence) {
  console.error(sentence)
  process.exit(1)
}

if (process.platform === 'win32') {
  refuse('Windows cannot run this by itself: use the Windows Subsystem for Linux (WSL).')
}

if (!isInstalled()) {
  await install().catch((fault) =>
    refuse(
      `The dependencies could not be installed (npm ci: ${fault.message}). ` +
        'Check the connection to the npm registry and run the command again.',
    ),
  )
}

const nodeMinimum = readJson('package.json').engines.node.replace(/^>=/, '')
const nodeVersion = findNodeVersion()
if (!isAtLeast(nodeVersion, nodeMinimum)) {
  refuse(
    `Node ${nodeMinimum} or newer is needed, and ${nodeVersion || 'none that runs'} is here. ` +
      `npm brought none that runs on ${process.platform}-${process.arch}: ` +
      'install Node 24 from https://nodejs.org and run the command again.',
  )
}

const [script, ...scriptArguments] = process.argv.slice(2)
if (script) {
  const run = spawnSync('node', [script, ...scriptArguments], {
    cwd: root,
    env: environment,
    stdio: 'inherit',
  })
  process.exitCode = run.status ?? 1
}
