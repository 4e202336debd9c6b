import { expect, test } from 'vitest'
import { Fault } from '#server/payments/variables.ts'
import { parseKeyOrigin } from './key-origin.ts'

const PATH = "m/84'/0'/0'"
const origin = {
  fingerprint: 0xf1e2d3c4,
  path: [84 + 2 ** 31, 2 ** 31, 2 ** 31],
}

test.each(['[f1e2d3c4/84h/0h/0h]', "f1e2d3c4/84'/0'/0'", ' [F1E2D3C4/84H/0h/0h] '])(
  '%j is read',
  (text) => expect(parseKeyOrigin(text, PATH)).toEqual(origin),
)

test.each(['', '[f1e2d3c4]', '[f1e2d3c4/84h/2h/0h]', '[f1e2d3c/84h/0h/0h]', '[f1e2d3c4/84/0/0]'])(
  '%j is none',
  (text) => expect(parseKeyOrigin(text, PATH)).toBeInstanceOf(Fault),
)
