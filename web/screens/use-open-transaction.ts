import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

/**
 * The transaction that the page's address names with `id`. Opening one is a step that the back
 * button undoes; a page that was opened at such an address stays when the dialog is closed.
 */
export function useOpenTransaction() {
  const [search] = useSearchParams()
  const { key, state } = useLocation()
  const navigate = useNavigate()
  const isGoingBack = useRef(false)
  useEffect(() => {
    isGoingBack.current = false
  }, [key])
  return {
    /** The one whose dialog is open; null if none is. */
    id: search.get('id'),
    open(id: string) {
      // A second press may come before the page shows what the first one opened.
      if (new URLSearchParams(window.location.search).get('id') === id) return
      const query = new URLSearchParams(search)
      query.set('id', id)
      void navigate({ search: `?${query}` }, { state: { isOpenedHere: true } })
    },
    close() {
      if (state?.isOpenedHere) {
        // The step takes a moment, and a second press in it is no second step.
        if (isGoingBack.current) return
        isGoingBack.current = true
        void navigate(-1)
        return
      }
      const query = new URLSearchParams(search)
      query.delete('id')
      void navigate({ search: query.size > 0 ? `?${query}` : '' }, { replace: true })
    },
  }
}
