import type { ComponentType } from 'react'
import { Coins, LayoutDashboard, Info, Megaphone, User, Users } from 'lucide-react'
import { useProject } from '#web/features/project/queries.ts'
import { usePromotions } from '#web/features/promotion/queries.ts'
import { useSale } from '#web/features/stage/queries.ts'
import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/en.ts'

export interface NavigationEntry {
  label: string
  /** A path of the application, or an address where `isExternal`. */
  to: string
  isExternal: boolean
  /** Why it cannot be opened; null where it can. */
  disabledBecause: string | null
  Icon: ComponentType<{ size: number; 'aria-hidden': 'true' }>
}

/** The entries of the sidebar in their order; specification section 2. */
export function useNavigation(): NavigationEntry[] {
  const { layout } = useMessages()
  const project = useProject()
  const hasPromotions = Object.keys(usePromotions().data ?? {}).length > 0
  const isEnded = useSale().data?.status === 'ENDED'
  const entry = (label: string, to: string, Icon: NavigationEntry['Icon']): NavigationEntry => ({
    label,
    to,
    Icon,
    isExternal: false,
    disabledBecause: null,
  })
  const entries = [
    entry(layout.dashboard, paths.dashboard, LayoutDashboard),
    entry(layout.account, paths.account, User),
    { ...entry(layout.buy, paths.buy, Coins), disabledBecause: isEnded ? layout.saleEnded : null },
    entry(layout.referrals, paths.referrals, Users),
  ]
  if (hasPromotions) entries.push(entry(layout.promotions, paths.promotions, Megaphone))
  if (project !== undefined) {
    const to = new URL('info', withSlash(project.main_site_url)).href
    entries.push({ ...entry(layout.info, to, Info), isExternal: true })
  }
  return entries
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`
}
