import { type KeyboardEvent, type PointerEvent, useState } from 'react'

/**
 * Which of so many parts of a drawing is read, with the pointer or the arrow keys; `atFirst` until
 * somebody reads another. `indexAt` tells which one is at a share of the width.
 */
export function useReader(count: number, atFirst: number) {
  const [read, setRead] = useState<number | null>(null)
  const last = count - 1
  const index = Math.max(0, Math.min(read ?? atFirst, last))

  function readByKey(event: KeyboardEvent) {
    const target = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key]
    if (target === undefined) return
    event.preventDefault()
    setRead(Math.max(0, Math.min(last, target)))
  }

  return {
    index,
    isReading: read !== null,
    handlers: (indexAt: (share: number) => number) => {
      const readAtPointer = (event: PointerEvent<HTMLDivElement>) => {
        const { left, width } = event.currentTarget.getBoundingClientRect()
        setRead(indexAt((event.clientX - left) / width))
      }
      return {
        onPointerMove: readAtPointer,
        onPointerDown: readAtPointer,
        // A finger covers what it points at, so the reading stays until another place is tapped.
        onPointerLeave: (event: PointerEvent) => event.pointerType !== 'touch' && setRead(null),
        onFocus: () => setRead((current) => current ?? atFirst),
        onBlur: () => setRead(null),
        onKeyDown: readByKey,
      }
    },
  }
}
