import { Unavailable } from '#domain/unavailable.ts'

/** The answer, or a rejection with `Unavailable` if it takes longer than `withinMs`. */
export async function withTimeout<Value>(answer: Promise<Value>, withinMs: number): Promise<Value> {
  const tooLate = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    tooLate.reject(new Unavailable(`No answer came within ${withinMs / 1000} s`))
  }, withinMs)
  try {
    return await Promise.race([answer, tooLate.promise])
  } finally {
    clearTimeout(timer)
  }
}
