import type { Banner } from '#domain/sale/sale.ts'
import type { Services } from '#server/services.ts'

export function listBanners(services: Services): Banner[] {
  const now = services.clock.now()
  return services.sale.banners.filter(
    ({ startsAt, endsAt }) =>
      (startsAt === null || startsAt <= now) && (endsAt === null || now < endsAt),
  )
}
