import { boundReasons } from '#domain/refusal.ts'
import * as z from 'zod/mini'
import { Instant, nullIfAbsent, UsdInput, WireAmount } from './values.ts'
import { endpoint } from './endpoint.ts'
import { ListedStage } from './sale-page-shapes.ts'
import { Banner, BonusTokens, PaymentTokenId, Prices, Project, Stage } from './shapes.ts'

export const chartPeriods = ['day', 'week', 'month', 'all'] as const

/** A promotion's text and link. */
const promotionWords = {
  /** The text over the picture; null if the picture contains it. */
  title: nullIfAbsent(z.string()),
  detail: nullIfAbsent(z.string()),
  /** A page of the product, such as `/referrals`; null leads to the buy page. */
  link_url: nullIfAbsent(z.string()),
  buy_params: z.record(z.string(), z.union([z.string(), z.number()])),
}

export const saleContract = {
  getCurrentProject: endpoint({
    method: 'GET',
    path: '/projects/current',
    access: 'open',
    sameForAll: true,
    summary: 'Returns the project whose token is sold, and the payment tokens it accepts.',
    result: Project,
  }),
  getActiveStage: endpoint({
    method: 'GET',
    path: '/stages/active',
    access: 'open',
    sameForAll: true,
    summary: 'Returns the stage that is on sale.',
    result: Stage,
    errors: ['SaleNotStarted', 'SalePaused', 'SaleEnded'],
  }),
  listStages: endpoint({
    method: 'GET',
    path: '/stages',
    access: 'open',
    sameForAll: true,
    summary: 'Lists all stages of the sale, in order, with how much of each is sold.',
    result: z.array(ListedStage),
  }),
  getSoftCap: endpoint({
    method: 'GET',
    path: '/soft-cap',
    access: 'open',
    sameForAll: true,
    summary: 'Returns how much the sale has raised towards its soft cap, in dollars.',
    result: z.object({
      /** In dollars; null if the sale has no soft cap. */
      soft_cap: z.nullable(WireAmount),
      raised: WireAmount,
      /** When the sale was closed below it, so that every buyer gets their money back. */
      closed_date: z.nullable(Instant),
    }),
  }),
  getPrices: endpoint({
    method: 'GET',
    path: '/prices',
    access: 'open',
    sameForAll: true,
    summary: 'Returns the price of one unit of each payment token, in dollars.',
    result: Prices,
  }),
  getFinalPrice: endpoint({
    method: 'GET',
    path: '/prices/final',
    access: 'open',
    sameForAll: true,
    summary: 'Returns the token’s price once the sale has ended, in dollars.',
    result: z.object({ final_price: WireAmount }),
  }),
  getPriceChart: endpoint({
    method: 'GET',
    path: '/price-chart',
    access: 'open',
    sameForAll: true,
    summary: 'Returns how the token’s price moved, in at most 200 points, oldest first.',
    query: z.strictObject({
      period: z._default(z.enum(chartPeriods, { error: 'Must be day, week, month or all' }), 'day'),
    }),
    result: z.object({
      price_chart: z.array(z.object({ date: Instant, price: WireAmount })),
    }),
  }),
  getTokenMinimum: endpoint({
    method: 'GET',
    path: '/tokens/{id}/minimum-amount',
    access: 'open',
    summary:
      'Returns the least that can be spent in a payment token, in dollars, and whether it is ' +
      'available.',
    params: z.strictObject({ id: z.string() }),
    result: z.object({
      token_id: z.string(),
      min_amount_fiat: WireAmount,
      /** The minimum of the rail itself, however little is left of a stage. */
      rail_min_amount_fiat: z._default(WireAmount, 0),
      /** False while its chain or its price is unavailable. */
      is_available: z._default(z.boolean(), true),
      /** True if so little of the stage is neither sold nor reserved that it lowers the minimum. */
      is_last_remainder: z._default(z.boolean(), false),
    }),
  }),
  calculateBonus: endpoint({
    method: 'POST',
    path: '/calculations/bonus',
    access: 'optional',
    summary:
      'Returns the bonuses a purchase would get now; with a login, including the caller’s own.',
    body: z.strictObject({
      purchase_token_id: PaymentTokenId,
      purchase_amount: UsdInput,
      /** The price that the client assumes; the reply uses the server’s own. */
      token_price: z.optional(z.number()),
      bonuses: z.optional(z.unknown()),
    }),
    result: BonusTokens,
    errors: [
      'UnknownPaymentToken',
      'SaleNotStarted',
      'SalePaused',
      'SaleEnded',
      'NoTokensLeft',
      ...boundReasons,
      'Busy',
    ],
  }),
  listBanners: endpoint({
    method: 'GET',
    path: '/banners',
    access: 'open',
    sameForAll: true,
    summary: 'Lists the current notices.',
    result: z.array(Banner),
  }),
  listPromotions: endpoint({
    method: 'GET',
    path: '/promotions',
    access: 'user',
    summary: 'Lists the promotions, with the addresses of their pictures, which never change.',
    result: z.array(
      z.object({
        key: z.string(),
        image_url: z.string(),
        /** The same picture for the blue theme. */
        image_blue_url: nullIfAbsent(z.string()),
        /** Pixels. */
        width: z.int(),
        height: z.int(),
        ...promotionWords,
      }),
    ),
  }),
  getPromotionImages: endpoint({
    method: 'GET',
    path: '/promotions/images',
    access: 'user',
    sameForAll: true,
    summary: 'Returns the promotions: a base64 PNG for each, with the purchase it proposes.',
    result: z.record(
      z.string(),
      z.object({
        image: z.string(),
        /** The same picture for the blue theme. */
        image_blue: nullIfAbsent(z.string()),
        ...promotionWords,
      }),
    ),
  }),
}
