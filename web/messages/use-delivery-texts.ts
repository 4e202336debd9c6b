import { delivery } from './en/delivery.ts'
import { useTexts } from './language.ts'

export const useDeliveryTexts = () => useTexts('delivery', delivery)
