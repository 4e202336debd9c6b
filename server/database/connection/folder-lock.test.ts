import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockFolder } from './folder-lock.ts'

let folder: string
let lockFile: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'presale-lock-')), 'database')
  lockFile = `${folder}.lock`
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const leaveLock = (holder: object) => writeFileSync(lockFile, JSON.stringify(holder))
/** The id of a process that has certainly ended. */
const deadPid = () => spawnSync(process.execPath, ['--eval', '']).pid

describe('the lock of a data folder', () => {
  it('stands beside the folder while it is held, and is gone afterwards', async () => {
    const lock = await lockFolder(folder)
    expect(JSON.parse(readFileSync(lockFile, 'utf8'))).toMatchObject({
      pid: process.pid,
      host: hostname(),
    })
    await lock.release()
    expect(existsSync(lockFile)).toBe(false)
  })

  it('is refused to a second holder, naming the process and the folder', async () => {
    const lock = await lockFolder(folder)
    await expect(lockFolder(folder)).rejects.toThrow(
      `The data folder ${folder} is in use by process ${process.pid}.`,
    )
    await lock.release()
    await (await lockFolder(folder)).release()
  })

  it('goes to one of many who ask at once', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is taken over from a process that has died', async () => {
    leaveLock({ pid: deadPid(), host: hostname(), startedAt: null })
    const lock = await lockFolder(folder)
    expect(JSON.parse(readFileSync(lockFile, 'utf8'))).toMatchObject({ pid: process.pid })
    await lock.release()
  })

  it('goes to one of many who find it dead', async () => {
    leaveLock({ pid: deadPid(), host: hostname(), startedAt: null })
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is taken over where the process id belongs to another process by now', async () => {
    const startedAt = 'an earlier boot:1'
    const isKnown = existsSync('/proc/self/stat')
    leaveLock({ pid: isKnown ? process.pid : deadPid(), host: hostname(), startedAt })
    const lock = await lockFolder(folder)
    expect(readFileSync(lockFile, 'utf8')).not.toContain(startedAt)
    await lock.release()
  })

  it('is left alone where another machine holds it, or nobody can tell', async () => {
    leaveLock({ pid: deadPid(), host: 'another-machine', startedAt: null })
    await expect(lockFolder(folder)).rejects.toThrow(`on another-machine`)
    writeFileSync(lockFile, 'not a lock at all')
    await expect(lockFolder(folder)).rejects.toThrow(`delete ${lockFile}`)
    expect(readFileSync(lockFile, 'utf8')).toBe('not a lock at all')
  })
})
