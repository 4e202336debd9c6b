import { inspect } from 'node:util'

import type { Secret } from '#server/ports/runtime.ts'

const hidden = () => '[secret]'

/** Boxes a value so that it prints as `[secret]`, in logs, in JSON and in error reports alike. */
export function secret(value: string): Secret {
  return Object.freeze({
    reveal: () => value,
    toString: hidden,
    toJSON: hidden,
    [inspect.custom]: hidden,
  })
}
