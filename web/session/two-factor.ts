import { useQuery } from '@tanstack/react-query'
import { authContract } from '#contract/auth.ts'
import { useOwnQuery } from './own-query.ts'

/** Whether the user's two-factor login is on, and how many recovery codes are left. */
export function useTwoFactor({ isEnabled = true } = {}) {
  const query = useOwnQuery(['two-factor'], authContract.getTwoFactor, {})
  return useQuery({ ...query, enabled: isEnabled })
}
