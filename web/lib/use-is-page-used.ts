import { useSyncExternalStore } from 'react'

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'focusin'] as const

let isUsed = false

/** Whether somebody has begun to use the page, by pointer or keyboard. */
export function useIsPageUsed(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isUsed,
    () => false,
  )
}

function subscribe(listener: () => void) {
  const onSign = () => {
    isUsed = true
    listener()
  }
  for (const sign of SIGNS) document.addEventListener(sign, onSign, { once: true })
  return () => {
    for (const sign of SIGNS) document.removeEventListener(sign, onSign)
  }
}
