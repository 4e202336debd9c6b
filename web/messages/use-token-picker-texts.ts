import { tokenPicker } from './en/token-picker.ts'
import { useTexts } from './language.ts'

export const useTokenPickerTexts = () => useTexts('tokenPicker', tokenPicker)
