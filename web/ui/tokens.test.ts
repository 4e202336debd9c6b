import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

type Colour = readonly [red: number, green: number, blue: number]
type Palette = (token: string) => Colour

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const SURFACES = ['ground', 'surface', 'raised']
const STATUSES = ['success', 'error', 'warning', 'info']
/** How much of a status colour its tint has; see `toneTint`. */
const TINT = 0.14

const themes: [string, Palette, Palette][] = [
  ['dark', palette("[data-theme='dark'] {"), accentPalette("[data-theme='dark'] {")],
  ['blue', palette("\n[data-theme='blue'] {"), accentPalette("\n[data-theme='blue'] {")],
]

it.each(themes)('every surface of the %s theme can be told from the one below it', (_, of) => {
  expect(contrast(of('surface'), of('ground'))).toBeGreaterThanOrEqual(1.12)
  expect(contrast(of('raised'), of('surface'))).toBeGreaterThanOrEqual(1.12)
  for (const surface of SURFACES) {
    expect(contrast(of('hairline'), of(surface)), surface).toBeGreaterThanOrEqual(1.4)
  }
})

it.each(themes)('text and edges of the %s theme keep their contrast', (_, of) => {
  for (const surface of SURFACES) {
    const ground = of(surface)
    const expectContrast = (token: string, least: number) =>
      expect(contrast(of(token), ground), `${token} on ${surface}`).toBeGreaterThanOrEqual(least)
    expectContrast('ink', 13)
    expectContrast('quiet', 8)
    expectContrast('accent', 8)
    expectContrast('edge', 3.6)
    for (const status of STATUSES) {
      expectContrast(status, 7)
      const tint = mix(of(status), ground, TINT)
      expect(contrast(of(status), tint), `${status} on its tint`).toBeGreaterThanOrEqual(5.6)
    }
  }
  expect(contrast(of('accent-ink'), of('accent'))).toBeGreaterThanOrEqual(10)
  expect(contrast(of('accent-ink'), of('accent-hover'))).toBeGreaterThanOrEqual(10)
})

it.each(themes)('the accent as a surface keeps contrast in the %s theme', (_, of, onAccent) => {
  const least = { ink: 10, accent: 10, quiet: 7, edge: 3.6, hairline: 1.8, 'mark-fill': 1.8 }
  for (const [token, ratio] of Object.entries(least)) {
    expect(contrast(onAccent(token), of('accent')), token).toBeGreaterThanOrEqual(ratio)
  }
  for (const status of STATUSES) {
    expect(contrast(onAccent(status), of('accent')), status).toBeGreaterThanOrEqual(5)
  }
  for (const surface of ['surface', 'raised']) {
    expect(contrast(onAccent('ink'), onAccent(surface)), surface).toBeGreaterThanOrEqual(7)
    expect(contrast(onAccent('quiet'), onAccent(surface)), surface).toBeGreaterThanOrEqual(4.5)
  }
  expect(contrast(onAccent('mark-fill'), onAccent('ink'))).toBeGreaterThanOrEqual(3)
})

it.each(themes)('a skeleton of the %s theme is seen all through its pulse', (_, of) => {
  const share = Number(
    /utility skeleton \{\s+background: \S+ srgb, var\(--ink\) ([\d.]+)%/.exec(css)?.[1],
  )
  const lowest = Number(/keyframes pulse \{\s+50% \{\s+opacity: ([\d.]+)/.exec(css)?.[1])
  for (const surface of SURFACES) {
    const shown = (opacity: number) =>
      contrast(mix(of('ink'), of(surface), (share / 100) * opacity), of(surface))
    expect(shown(lowest), surface).toBeGreaterThanOrEqual(1.3)
    expect(shown(1), surface).toBeLessThanOrEqual(1.61)
  }
})

function block(opening: string): string {
  const start = css.indexOf(opening)
  expect(start, opening).toBeGreaterThan(-1)
  return css.slice(start, css.indexOf('}', start))
}

function palette(opening: string): Palette {
  const text = block(opening)
  return (token) => hexColour(new RegExp(`--${token}: (#[0-9a-f]{6});`).exec(text)?.[1] ?? token)
}

/** What the tokens are inside an accent panel: their own colours, or a share of its ink. */
function accentPalette(opening: string): Palette {
  const of = palette(opening)
  const text = block("[data-surface='accent'] {")
  return (token) => {
    const value = new RegExp(`--${token}: ([^;]+);`).exec(text)?.[1] ?? token
    const share = /on-accent\) ([\d.]+)%/.exec(value)?.[1]
    if (share !== undefined) return mix(of('accent-ink'), of('accent'), Number(share) / 100)
    return value === 'var(--on-accent)' ? of('accent-ink') : hexColour(value)
  }
}

function hexColour(hex: string): Colour {
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(hex) ?? []
  if (red === undefined || green === undefined || blue === undefined) {
    throw new Error(`No colour: ${hex}`)
  }
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)]
}

function mix(over: Colour, under: Colour, share: number): Colour {
  const channel = (index: 0 | 1 | 2) => over[index] * share + under[index] * (1 - share)
  return [channel(0), channel(1), channel(2)]
}

/** As WCAG 2.2 has it. */
function contrast(one: Colour, other: Colour): number {
  const [lighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05)
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
