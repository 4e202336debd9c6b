import type { BrowserContext } from '@playwright/test'

/** The one address that is wrong on purpose: its error is expected. */
export const WRONG_ADDRESS = '/no-such-page'

/** What no page may ever do; each entry is a sentence with the address of the page. */
export type Faults = string[]

/**
 * Collects what goes wrong in any page of the context: console errors, uncaught errors, replies
 * that are the server's own failure, and requests to another host.
 */
export function watchFaults(context: BrowserContext, address: string): Faults {
  const faults: Faults = []
  context.on('console', (message) => {
    if (message.type() !== 'error' || message.location().url === address + WRONG_ADDRESS) return
    faults.push(`${message.page()?.url()}: console error: ${message.text()}`)
  })
  context.on('weberror', (error) => {
    faults.push(`${error.page()?.url()}: uncaught: ${error.error().stack ?? error.error().message}`)
  })
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== address) {
      faults.push(`A request left for another host: ${request.url()}`)
    }
  })
  context.on('response', (response) => {
    if (response.status() < 500) return
    faults.push(`${response.request().method()} ${response.url()} replied ${response.status()}`)
  })
  return faults
}
