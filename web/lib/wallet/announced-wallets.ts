import { useSyncExternalStore } from 'react'
import { createListeners } from '#web/lib/listeners.ts'

/** How a wallet is called (EIP-1193). */
export interface WalletProvider {
  request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown>
}

export interface AnnouncedWallet {
  id: string
  /** The name that the wallet announces: untrusted text, cut to fit a button. */
  name: string
  /** A picture inside of an address (`data:`); null if there is none that can be shown. */
  icon: string | null
  provider: WalletProvider
}

/** Anything in the browser may announce wallets, even more than a person could look through. */
const WALLETS_MAX = 8
const NAME_LENGTH_MAX = 32
const ICON_LENGTH_MAX = 200_000
const ICON = /^data:image\/(?:png|svg\+xml|webp|jpeg|gif)[;,]/

let wallets: readonly AnnouncedWallet[] = []
let isLooking = false
const { subscribe, notify } = createListeners()

/**
 * The wallets in this browser, as they announce themselves (EIP-6963). They are asked on first use;
 * most answer at once, and later ones are added.
 */
export function useAnnouncedWallets(): readonly AnnouncedWallet[] {
  return useSyncExternalStore(subscribe, () => {
    look()
    return wallets
  })
}

function look(): void {
  if (isLooking) return
  isLooking = true
  window.addEventListener('eip6963:announceProvider', (event) => {
    const wallet = event instanceof CustomEvent ? readAnnouncement(event.detail) : null
    // An announcement never replaces a wallet that is listed already.
    if (wallet === null || wallets.some(({ id }) => id === wallet.id)) return
    if (wallets.length === WALLETS_MAX) return
    wallets = [...wallets, wallet]
    notify()
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
}

/** A wallet from its announcement; null if the announcement cannot be used. */
export function readAnnouncement(detail: unknown): AnnouncedWallet | null {
  const { info, provider } = partsOf(detail)
  const { uuid, name, icon } = partsOf(info)
  if (typeof uuid !== 'string' || uuid === '' || !isProvider(provider)) return null
  const shown = typeof name === 'string' ? readableName(name) : ''
  if (shown === '') return null
  const isPicture = typeof icon === 'string' && icon.length <= ICON_LENGTH_MAX && ICON.test(icon)
  return { id: uuid, name: shown, icon: isPicture ? icon : null, provider }
}

/** Without invisible characters and those that reverse the rest of a sentence. */
function readableName(name: string): string {
  const seen = [...name.replaceAll(/[\p{C}\s]+/gu, ' ').trim()]
  if (seen.length <= NAME_LENGTH_MAX) return seen.join('')
  return `${seen.slice(0, NAME_LENGTH_MAX - 1).join('')}…`
}

function partsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function isProvider(value: unknown): value is WalletProvider {
  return typeof partsOf(value)['request'] === 'function'
}
