import { useEffect, useState } from 'react'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'

/** What takes longer is no mere loading. */
const NOTICED_MS = 1500

/** In the place of the cards; says why it takes long where it does. */
export function Counting() {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), NOTICED_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="flex flex-col gap-4">
      {isLong && (
        <p className="text-quiet">
          What every buyer owns is being counted. With a million of them it takes some seconds.
        </p>
      )}
      <Skeleton className="h-96" />
    </div>
  )
}
