import { useQuery, useQueryClient } from '@tanstack/react-query'
import { refundsContract } from '#contract/refunds.ts'
import { type AddressFault, addressFaults } from '#domain/refunds/address-faults.ts'
import { CallError, isRefusal } from '#web/lib/api/call.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { useSession } from '#web/session/session-context.tsx'

/** The pause after the last key, so that not every letter is checked. */
const SETTLE_MS = 400

interface Wanted {
  payment_token_id: string
  chain: string
}

export type AddressCheck =
  /** As its chain writes it. `isChecked`: false if only the buyer can tell whether it is right. */
  | { state: 'right'; address: string; isChecked: boolean }
  | { state: 'wrong'; why: AddressFault }
  | { state: 'checking' | 'failed' | 'empty' }

/** Checks an address while it is being typed with `check`, which never rejects. */
export function useAddressCheck(wanted: Wanted, typed: string) {
  const { callAs } = useSession()
  const queries = useQueryClient()
  const text = typed.trim()
  const settled = useDebounced(text, SETTLE_MS)
  const queryOf = (address: string) => ({
    queryKey: ['refund-address', wanted.payment_token_id, wanted.chain, address],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      callAs(refundsContract.checkRefundAddress, { body: { ...wanted, address } }, { signal }),
    staleTime: Infinity,
    retry: false,
  })
  const query = useQuery({ ...queryOf(settled), enabled: settled !== '' })
  async function check(): Promise<AddressCheck> {
    if (text === '') return { state: 'empty' }
    try {
      return rightBy(await queries.fetchQuery(queryOf(text)))
    } catch (error) {
      return wrongBy(error)
    }
  }
  return { shown: text === settled ? shownOf() : { state: 'checking' as const }, check }

  function shownOf(): AddressCheck {
    if (text === '') return { state: 'empty' }
    if (query.data !== undefined) return rightBy(query.data)
    return query.error === null ? { state: 'checking' } : wrongBy(query.error)
  }
}

const rightBy = ({
  address,
  is_checked: isChecked,
}: {
  address: string
  is_checked: boolean
}): AddressCheck => ({ state: 'right', address, isChecked })

function wrongBy(error: unknown): AddressCheck {
  const fault = error instanceof CallError && error.errors.find(({ path }) => path === 'address')
  return isRefusal(error, 'InvalidInput') && fault
    ? { state: 'wrong', why: addressFaults.find((each) => each === fault.code) ?? 'form' }
    : { state: 'failed' }
}
