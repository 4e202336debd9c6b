import type { Banner } from '#contract/shapes.ts'

interface ShownWhere {
  /** The path of the page that is open. */
  pathname: string
  /** Null while it is not known, which hides nothing. */
  saleStatus: Banner['while'][number] | null
  dismissed: readonly string[]
}

/**
 * The banners for a page, newest first: without those that lead to the page itself, and without
 * those of another status of the sale.
 */
export function shownBanners(
  banners: readonly Banner[],
  { pathname, saleStatus, dismissed }: ShownWhere,
): Banner[] {
  return banners
    .filter(({ id }) => !dismissed.includes(id))
    .filter(({ link_url: link }) => link?.split(/[?#]/)[0] !== pathname)
    .filter((banner) => saleStatus === null || banner.while.includes(saleStatus))
    .toSorted((one, other) => startOf(other) - startOf(one))
}

/** A notice without a date has been there from the start. */
function startOf({ starts_date: starts }: Banner): number {
  return starts === null ? 0 : Date.parse(starts)
}
