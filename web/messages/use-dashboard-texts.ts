import { dashboard } from './en/dashboard.ts'
import { useLanguage } from './language.ts'

/** The texts of the dashboard, its chart included. */
export function useDashboardTexts(): typeof dashboard {
  return useLanguage().texts?.dashboard ?? dashboard
}
