import { saleContract } from '#contract/sale.ts'
import { usd } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { getActiveStage, getTokenMinimum } from '#server/use-cases/sale/get-active-stage.ts'
import { getFinalPrice, getPriceChart, getPrices } from '#server/use-cases/sale/get-prices.ts'
import { readSoftCap } from '#server/use-cases/operations/get-sale-state.ts'
import { listBanners } from '#server/use-cases/sale/list-banners.ts'
import { listStages } from '#server/use-cases/sale/list-stages.ts'
import { previewBonus } from '#server/use-cases/purchases/preview-bonus.ts'
import { implement } from '#server/http/routing/implement.ts'
import {
  presentBanner,
  presentPrices,
  presentProject,
  presentPromotionImages,
  presentPromotions,
  presentStage,
} from './present-sale.ts'
import {
  bonusTokensToWire,
  instantToWire,
  orNull,
  priceToWire,
  usdToWire,
} from '#contract/codec.ts'
import { stageToWire } from '#contract/stage-codec.ts'

const NO_SOFT_CAP = { cap: null, raised: usd(0n), closedAt: null }

export const saleRoutes = implement(saleContract, {
  getCurrentProject: ({ sale, settings }) => presentProject(sale, settings),
  getActiveStage: async (services) => stageToWire(await getActiveStage(services)),
  listStages: async (services) => (await listStages(services)).map(presentStage),
  getSoftCap: async (services) => {
    const { cap, raised, closedAt } = (await readSoftCap(services)) ?? NO_SOFT_CAP
    return {
      soft_cap: orNull(cap, usdToWire),
      raised: usdToWire(raised),
      closed_date: orNull(closedAt, instantToWire),
    }
  },
  getPrices: async (services) => presentPrices(await getPrices(services)),
  getFinalPrice: async (services) => ({
    final_price: priceToWire(await getFinalPrice(services)),
  }),
  getPriceChart: async (services, { query }) => {
    const points = await getPriceChart(services, query.period)
    return {
      price_chart: points.map(({ at, price }) => ({
        date: instantToWire(at),
        price: priceToWire(price),
      })),
    }
  },
  getTokenMinimum: async (services, { params }) => {
    const found = await getTokenMinimum(services, params.id)
    return {
      token_id: params.id,
      min_amount_fiat: usdToWire(found.minimum),
      rail_min_amount_fiat: usdToWire(found.railMinimum),
      is_last_remainder: found.isLastRemainder,
      is_available: found.isAvailable,
    }
  },
  calculateBonus: async (services, { body }, caller, client) => {
    const wanted = { paymentTokenId: body.purchase_token_id, usd: body.purchase_amount }
    const bonuses = await previewBonus(services, wanted, caller, client)
    return bonusTokensToWire(bonuses, services.sale.project.decimals)
  },
  listBanners: (services) => listBanners(services).map(presentBanner),
  listPromotions: ({ sale }) => promotionsOf(sale),
  getPromotionImages: ({ sale }) => presentPromotionImages(sale.promotions),
})

const promotionsBySale = new WeakMap<Sale, ReturnType<typeof presentPromotions>>()

/** This decodes their pictures, which is worth doing only once. */
function promotionsOf(sale: Sale): ReturnType<typeof presentPromotions> {
  const known = promotionsBySale.get(sale) ?? presentPromotions(sale.promotions)
  promotionsBySale.set(sale, known)
  return known
}
