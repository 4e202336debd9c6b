import { expect, type Page } from '@playwright/test'

import type { Anvil } from '#tests/kit/servers/anvil.ts'
import { transactionDialog } from './pages.ts'

/** As much of a chain as a wallet needs. */
type WalletChain = Pick<Anvil, 'chainId' | 'rpc'>

/** An error as wallets throw it (EIP-1193). */
export type WalletError = { code: number; message: string; data?: unknown }

export type PlayedWallet = {
  name: string
  /** The requests that it got, in order. */
  asked: { method: string; params: readonly unknown[] }[]
  /** The chain that it is on, and those that it could switch to. */
  chainId: number
  knownChains: Set<number>
  accounts: string[]
  /** The hashes of what it sent. */
  sent: string[]
  /** Answers the next call of this method with an error. */
  failNext(method: string, error: WalletError): void
  /** Answers calls of this method only once the returned function has been called. */
  hold(method: string): () => void
}

type WalletOptions = {
  name?: string
  icon?: string
  chainId?: number
  knownChains?: readonly number[]
  accounts?: string[]
}

/** A blue square. */
const ICON =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E' +
  '%3Crect width="8" height="8" rx="2" fill="%233b82f6"/%3E%3C/svg%3E'

type Reply = { result: unknown } | { error: WalletError }

let walletCount = 0

/**
 * Puts a wallet into pages opened from now on, which announces itself by EIP-6963. It accepts every
 * request, with accounts on a real chain, on which it really sends.
 */
export async function installWallet(
  page: Page,
  chain: WalletChain,
  options: WalletOptions = {},
): Promise<PlayedWallet> {
  walletCount += 1
  const faults = new Map<string, WalletError>()
  const holds = new Map<string, Promise<void>>()
  const wallet: PlayedWallet = {
    name: options.name ?? 'Fox Wallet',
    asked: [],
    chainId: options.chainId ?? chain.chainId,
    knownChains: new Set(options.knownChains ?? [chain.chainId]),
    accounts: options.accounts ?? (await chain.rpc<string[]>('eth_accounts')),
    sent: [],
    failNext: (method, error) => void faults.set(method, error),
    hold(method) {
      const { promise, resolve } = Promise.withResolvers<void>()
      holds.set(method, promise)
      return () => {
        holds.delete(method)
        resolve()
      }
    },
  }
  const ask = `askPlayedWallet${walletCount}`
  await page.exposeFunction(ask, async (method: string, params: unknown[]): Promise<Reply> => {
    wallet.asked.push({ method, params })
    await holds.get(method)
    const error = faults.get(method)
    if (error !== undefined) {
      faults.delete(method)
      return { error }
    }
    return await answer(wallet, chain, method, params)
  })
  const info = {
    uuid: `00000000-0000-4000-8000-${String(walletCount).padStart(12, '0')}`,
    name: wallet.name,
    icon: options.icon ?? ICON,
    rdns: 'example.wallet',
  }
  await page.addInitScript(announce, { ask, info })
  return wallet
}

async function answer(
  wallet: PlayedWallet,
  chain: WalletChain,
  method: string,
  params: unknown[],
): Promise<Reply> {
  switch (method) {
    case 'eth_requestAccounts':
      return { result: wallet.accounts }
    case 'eth_chainId':
      return { result: `0x${wallet.chainId.toString(16)}` }
    case 'wallet_switchEthereumChain': {
      const [{ chainId }] = params as [{ chainId: string }]
      if (!wallet.knownChains.has(Number(chainId))) {
        return { error: { code: 4902, message: 'Unrecognized chain ID' } }
      }
      wallet.chainId = Number(chainId)
      return { result: null }
    }
    default:
      return await passOn(wallet, chain, method, params)
  }
}

/** How a wallet uses its node: an error from it reaches the page with one of the wallet's codes. */
async function passOn(
  wallet: PlayedWallet,
  chain: WalletChain,
  method: string,
  params: unknown[],
): Promise<Reply> {
  try {
    const result = await chain.rpc(method, params)
    if (method === 'eth_sendTransaction') wallet.sent.push(String(result))
    return { result }
  } catch (fault) {
    const message = fault instanceof Error ? fault.message : String(fault)
    return { error: { code: -32603, message } }
  }
}

/** Runs in the page, before any script of it. */
function announce({ ask, info }: { ask: string; info: Record<string, string> }): void {
  const provider = {
    request: async ({ method, params = [] }: { method: string; params?: unknown[] }) => {
      const call = Reflect.get(window, ask) as (...words: unknown[]) => Promise<Reply>
      const reply = await call(method, params)
      if ('error' in reply) throw Object.assign(new Error(reply.error.message), reply.error)
      return reply.result
    },
  }
  const detail = Object.freeze({ info, provider })
  const announce = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}

/** The parts of the transaction dialog, once all of it is there; without its clock. */
export async function dialogMarkup(page: Page): Promise<string> {
  const dialog = transactionDialog(page)
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible()
  const markup = await dialog.evaluate((element) => element.outerHTML)
  return markup
    .replaceAll(/\b\d{1,2}(:\d{2})+\b/g, 'time')
    .replaceAll(/(id|for|name|aria-\w+|href)="[^"]*(react-aria|_r_)[^"]*"/g, '$1')
}
