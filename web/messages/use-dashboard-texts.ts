import { dashboard } from './en/dashboard.ts'
import { useTexts } from './language.ts'

export const useDashboardTexts = () => useTexts('dashboard', dashboard)
