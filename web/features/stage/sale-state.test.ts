import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { Stage } from '#contract/shapes.ts'
import { CallError } from '#web/lib/api/call.ts'
import { soldShare } from '#web/lib/format/token-amounts.ts'
import { applyStage } from './live-stage.ts'
import { saleQuery, stagesQuery } from './queries.ts'
import {
  type SaleState,
  saleStateOf,
  nextStage,
  nextTransitionAt,
  stagesMoveOnAt,
  statusByStages,
} from './sale-state.ts'

const startsDate = '2030-01-01T00:00:00Z'

describe('why there is no stage', () => {
  it.each([
    [
      { code: 404, reason: 'SaleNotStarted', message: 'x', starts_date: startsDate },
      { status: 'NOT_STARTED', startsDate, isBetweenStages: false },
    ],
    [
      {
        code: 404,
        reason: 'SaleNotStarted',
        message: 'x',
        starts_date: startsDate,
        is_between_stages: true,
      },
      { status: 'NOT_STARTED', startsDate, isBetweenStages: true },
    ],
    [{ code: 503, reason: 'SalePaused', message: 'x' }, { status: 'PAUSED' }],
    [{ code: 410, reason: 'SaleEnded', message: 'x' }, { status: 'ENDED' }],
    [
      { code: 400, reason: 'InvalidInput', message: 'Sorry, the token sale has ended.' },
      { status: 'ENDED' },
    ],
    [{ code: 500, reason: 'InternalError', message: 'x' }, null],
  ] as const)('%o', (fault, state) => {
    expect(saleStateOf(new CallError(fault))).toEqual(state)
  })

  it('says nothing where the server was not reached', () => {
    expect(saleStateOf(new CallError(null))).toBeNull()
    expect(saleStateOf(new TypeError('Failed to fetch'))).toBeNull()
  })
})

it('knows when the sale moves on by the clock', () => {
  expect(nextTransitionAt({ status: 'NOT_STARTED', startsDate, isBetweenStages: false })).toBe(
    startsDate,
  )
  expect(nextTransitionAt({ status: 'PAUSED' })).toBeNull()
  expect(nextTransitionAt(undefined)).toBeNull()
})

it('replaces the stage by the one the server tells of, and asks why where there is none', () => {
  const queries = new QueryClient()
  const key = saleQuery.queryKey
  const stage = { id: 'stage-2' } as Stage
  queries.setQueryData(key, { status: 'PAUSED' })
  applyStage(queries, stage)
  expect(queries.getQueryData(key)).toEqual({ status: 'ACTIVE', stage })
  expect(queries.getQueryState(key)?.isInvalidated).toBe(false)
  applyStage(queries, null)
  expect(queries.getQueryState(key)?.isInvalidated).toBe(true)
})

it('does not let an answer that was under way undo what the server has told since', async () => {
  const queries = new QueryClient()
  const key = saleQuery.queryKey
  const answers: ((sale: SaleState) => void)[] = []
  const queryFn = () => new Promise<SaleState>((resolve) => answers.push(resolve))
  const observer = new QueryObserver(queries, { queryKey: key, queryFn })
  const stop = observer.subscribe(() => {})
  answers[0]?.({ status: 'PAUSED' })
  await expect.poll(() => queries.getQueryData(key)).toEqual({ status: 'PAUSED' })

  void observer.refetch()
  applyStage(queries, { id: 'stage-2' } as Stage)
  answers[1]?.({ status: 'PAUSED' })
  await expect.poll(() => answers.length).toBe(3)
  expect(queries.getQueryData(key)).toMatchObject({ stage: { id: 'stage-2' } })
  stop()
})

it.each([
  [0, 800e9, '0%'],
  [13_300_000, 800e9, '<0.01%'],
  [128.56e9, 800e9, '16.07%'],
  [799_999_999_999, 800e9, '99.99%'],
  [800e9, 800e9, '100%'],
  [0, 0, '0%'],
])('%d of %d sold is %s', (sold, total, share) => {
  expect(soldShare(sold, total)).toBe(share)
})

const listed = (status: ListedStage['status'], id: string = status): ListedStage => ({
  id,
  name: id,
  type: 'dynamic',
  token_price: 0.5,
  final_token_price: 1,
  current_token_price: 0.5,
  total_tokens: 1000,
  sold_tokens: 0,
  is_sold_out: false,
  start_date: startsDate,
  end_date: null,
  status,
  vesting: null,
})

describe('the list of all stages', () => {
  it.each([
    [[], null],
    [['upcoming', 'upcoming'], 'NOT_STARTED'],
    [['ended', 'active', 'upcoming'], 'ACTIVE'],
    [['ended', 'paused'], 'PAUSED'],
    [['ended', 'upcoming'], 'NOT_STARTED'],
    [['ended', 'ended'], 'ENDED'],
  ] as const)('%o says the status of the sale', (statuses, status) => {
    expect(statusByStages(statuses.map((each) => listed(each)))).toBe(status)
  })

  it('has the next stage, and none after the last', () => {
    const stages = [listed('active'), listed('upcoming', 'two'), listed('upcoming', 'three')]
    expect(nextStage(stages)?.id).toBe('two')
    expect(nextStage([listed('ended'), listed('active')])).toBeNull()
  })

  it('moves on at the end of the stage that is open, or at the start of the next', () => {
    const open = { ...listed('active'), end_date: '2030-02-01T00:00:00Z' }
    const next = { ...listed('upcoming'), start_date: '2030-03-01T00:00:00Z' }
    expect(stagesMoveOnAt([listed('ended'), open, next])).toBe(open.end_date)
    expect(stagesMoveOnAt([listed('active'), next])).toBeNull()
    expect(stagesMoveOnAt([listed('ended'), next])).toBe(next.start_date)
    expect(stagesMoveOnAt([listed('ended')])).toBeNull()
  })

  it('moves on with the stage of the live events', () => {
    const queries = new QueryClient()
    queries.setQueryData(stagesQuery.queryKey, [listed('active'), listed('upcoming')])
    applyStage(queries, { id: 'active', token_price: 0.75, sold_tokens: 500 } as Stage)
    expect(queries.getQueryData(stagesQuery.queryKey)).toEqual([
      { ...listed('active'), current_token_price: 0.75, sold_tokens: 500 },
      listed('upcoming'),
    ])
    expect(queries.getQueryState(stagesQuery.queryKey)?.isInvalidated).toBe(false)
    applyStage(queries, { id: 'upcoming', token_price: 1, sold_tokens: 0 } as Stage)
    expect(queries.getQueryState(stagesQuery.queryKey)?.isInvalidated).toBe(true)
  })
})
