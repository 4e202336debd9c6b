import { useEffect } from 'react'

/** Sets the document's title, such as '{page} · {site title}' (specification section 2). */
export function usePageTitle(title: string) {
  useEffect(() => {
    document.title = title
  }, [title])
}
