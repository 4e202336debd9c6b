import { salePanel } from './en/sale-panel.ts'
import { useTexts } from './language.ts'

export const useSalePanelTexts = () => useTexts('salePanel', salePanel)
