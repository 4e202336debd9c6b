import { knownEvmChain, normalizeChain } from '#domain/chains/chain.ts'
import type { Delivery, Project } from '#domain/sale/sale.ts'
import type { Place } from './document/place.ts'
import { converted, optional, type Reader, required, section } from './document/readers.ts'
import { text, wholeNumber } from './document/values.ts'
import { contract as evmAddress } from './tokens/rail-tokens.ts'

const DECIMALS_MAX = 36

/** How the tokens get to their owners' wallets; `decimals` are those of the sale. */
export const delivery = (decimals: number): Reader<Delivery> =>
  section(
    'a map with chain, chain_id and, if wanted, decimals and treasury',
    {
      chain: required(converted(text(60), normalizeChain)),
      chain_id: required(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
      decimals: optional(wholeNumber(0, DECIMALS_MAX), decimals),
      treasury: optional(evmAddress, null),
    },
    {
      check({ chain, chain_id: chainId }, place) {
        if (chain === undefined || chainId === undefined) return
        const known = knownEvmChain(chain, null)
        if (known !== null && known.chainId !== chainId) {
          place.at('chain_id').mismatch(`${known.chainId}, the id of the chain ${chain}`)
        }
      },
    },
  )

/** Reports a token contract on a different chain from the one on which tokens are delivered. */
export function deliveryFitsContract(
  delivered: Delivery | null | undefined,
  project: Project | undefined,
  place: Place,
): void {
  const contract = project?.contract
  if (!delivered || !contract || contract.chain === delivered.chain) return
  place.at('chain').mismatch(`${contract.chain}, the chain of the project's contract`)
}
