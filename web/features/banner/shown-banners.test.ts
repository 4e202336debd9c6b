import { expect, it } from 'vitest'
import type { Banner } from '#contract/shapes.ts'
import { saleStatuses } from '#domain/sale/sale.ts'
import { shownBanners } from './shown-banners.ts'

const banner = (id: string, change: Partial<Banner> = {}): Banner => ({
  id,
  message: id,
  tone: 'info',
  link_url: null,
  link_label: null,
  dismissible: true,
  starts_date: null,
  ends_date: null,
  while: [...saleStatuses],
  ...change,
})

const shown = (banners: Banner[], change: Partial<Parameters<typeof shownBanners>[1]> = {}) =>
  shownBanners(banners, { pathname: '/', saleStatus: 'ACTIVE', dismissed: [], ...change }).map(
    ({ id }) => id,
  )

it('puts the newest first, and those without a date last, in their own order', () => {
  const banners = [
    banner('first'),
    banner('old', { starts_date: '2030-01-01T00:00:00.000Z' }),
    banner('second'),
    banner('new', { starts_date: '2030-02-01T00:00:00.000Z' }),
  ]
  expect(shown(banners)).toEqual(['new', 'old', 'first', 'second'])
})

it('leaves out what leads to the page that is open, with whatever query', () => {
  const banners = [
    banner('here', { link_url: '/buy?usd_amount=50#form' }),
    banner('elsewhere', { link_url: '/info' }),
    banner('outside', { link_url: 'https://pear.example/buy' }),
  ]
  expect(shown(banners, { pathname: '/buy' })).toEqual(['elsewhere', 'outside'])
})

it('leaves out what belongs to another status of the sale, where that is known', () => {
  const banners = [banner('selling', { while: ['ACTIVE'] }), banner('always')]
  expect(shown(banners, { saleStatus: 'ENDED' })).toEqual(['always'])
  expect(shown(banners)).toEqual(['selling', 'always'])
  expect(shown(banners, { saleStatus: null })).toEqual(['selling', 'always'])
})

it('leaves out what was dismissed', () => {
  expect(shown([banner('seen'), banner('unseen')], { dismissed: ['seen'] })).toEqual(['unseen'])
})
