/**
 * How deeply objects and lists nest in a JSON text, and how many values and keys it holds at most,
 * found in one pass without reading it: what is too much need not be parsed.
 */
export function jsonExtent(text: string): { depth: number; parts: number } {
  let depth = 0
  let deepest = 0
  let parts = 1
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (isInString) {
      if (character === BACKSLASH) at += 1
      else if (character === QUOTE) isInString = false
    } else if (character === QUOTE) {
      isInString = true
    } else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      parts += 1
      depth += 1
      deepest = Math.max(deepest, depth)
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      depth -= 1
    } else if (character === COMMA || character === COLON) {
      parts += 1
    }
  }
  return { depth: deepest, parts }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
