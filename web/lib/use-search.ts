import { useSearchParams } from 'react-router'
import * as z from 'zod/mini'

/** The query of the page's address, read by one of the `searches`. */
export function useSearch<S extends z.core.$ZodType>(schema: S): z.output<S> {
  const [params] = useSearchParams()
  return z.parse(schema, Object.fromEntries(params))
}
