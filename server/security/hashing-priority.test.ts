import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** In a process of its own, whose threads no other test needs. */
const script = `
  import { readdirSync, readFileSync } from 'node:fs'
  import { createPasswordHasher } from '#server/security/passwords.ts'
  import { lowerHashingPriority } from '#server/security/hashing-priority.ts'

  const here = { address: '198.51.100.7' }
  const passwords = createPasswordHasher({ runningMax: 2, waitingMax: 2 })
  await passwords.hash('passw0rd', here)
  const listThreads = () => readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync('/proc/self/task/' + thread + '/stat', 'utf8')
    const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { isPool: stat.includes('(libuv-worker)'), niceness: Number(afterName[16]) }
  })
  const before = listThreads()
  lowerHashingPriority({ warn: () => { throw new Error('It could not') } })
  const hash = await passwords.hash('passw0rd', here)
  console.log(JSON.stringify({ before, after: listThreads(), hash }))
`

type Thread = { isPool: boolean; niceness: number }

test.runIf(process.platform === 'linux')(
  'passwords are hashed at a lower priority than everything else',
  () => {
    const output = execFileSync('node', ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    })
    const { before, after, hash } = JSON.parse(output) as {
      before: Thread[]
      after: Thread[]
      hash: string
    }
    const nicenesses = (threads: Thread[], isPool: boolean) => [
      ...new Set(threads.filter((thread) => thread.isPool === isPool).map((one) => one.niceness)),
    ]
    expect(nicenesses(after, false)).toEqual(nicenesses(before, false))
    expect(nicenesses(after, true)).toEqual([Math.max(10, ...nicenesses(before, true))])
    expect(hash).toContain('argon2id')
  },
)
