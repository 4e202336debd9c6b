import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser } from '#tests/kit/builders/a-user.ts'
import type { Fate } from '#tests/kit/fates/fate.ts'
import { writtenOut } from '#tests/kit/fates/fate-end.ts'
import { FateOverHttp, type FateServer, startFateServer } from '#tests/kit/fates/fate-over-http.ts'
import { fatesOnTime } from '#tests/kit/fates/fates-on-time.ts'
import { fatesTroubled } from '#tests/kit/fates/fates-troubled.ts'

/** For all stories that ask for no sale of their own. */
let usual: FateServer
beforeAll(async () => {
  usual = await startFateServer()
})
afterAll(() => usual.app.close())

async function happen(fate: Fate): Promise<void> {
  const server = fate.sale === undefined ? usual : await startFateServer(fate.sale)
  const story = new FateOverHttp(server, await aUser(server.app))
  await story.happen(fate.steps)
  await expectEnds(story, fate)

  // Reported once more, everything stays as it is. Only time that had passed unread is read now.
  if (fate.steps.at(-1) !== 'expires unread') {
    await story.reportAgain()
    await expectEnds(story, fate)
  }
  if (server !== usual) await server.app.close()
}

async function expectEnds(story: FateOverHttp, fate: Fate): Promise<void> {
  for (const [name, end] of Object.entries({ it: fate.end, ...fate.others })) {
    expect(await story.endOf(name)).toEqual(writtenOut(end))
  }
}

describe.each([...fatesOnTime, ...fatesTroubled])('$event', ({ fates }) => {
  it.each(fates)('$name', async (fate) => {
    await happen(fate)
    expect(usual.app.complaints).toEqual([])
  })
})
