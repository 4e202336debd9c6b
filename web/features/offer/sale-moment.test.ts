import { expect, it } from 'vitest'
import type { ListedStage } from '#contract/sale-page-shapes.ts'
import { aListedStage } from '#tests/kit/builders/a-listed-stage.ts'
import { saleMomentOf } from './sale-moment.ts'

it.each<[ListedStage['status'][], unknown]>([
  [
    ['upcoming', 'upcoming'],
    { status: 'upcoming', number: 1, stage: { id: '1' }, next: { id: '2' } },
  ],
  [['active', 'upcoming'], { status: 'active', number: 1, stage: { id: '1' }, next: { id: '2' } }],
  [['ended', 'paused'], { status: 'paused', number: 2, stage: { id: '2' }, next: null }],
  [['ended', 'upcoming', 'upcoming'], { status: 'between', number: 2, next: { id: '3' } }],
  [['ended', 'ended'], { status: 'ended', number: 2, stage: { id: '2' }, next: null }],
])('stages that are %o', (statuses, moment) => {
  const stages = statuses.map((status, index) => aListedStage({ id: String(index + 1), status }))
  expect(saleMomentOf(stages)).toMatchObject(moment as object)
})

it('is nothing for a sale without stages', () => {
  expect(saleMomentOf([])).toBeNull()
})
