/**
 * Renders the drawings beside this file into the pictures that the shipped sale shows:
 *
 *     npx node tools/art/render.ts
 *
 * The promotions are drawn in both themes and without words, which the page writes over their left
 * half. It refuses drawings whose steps are not those of the shipped sale, and pictures too heavy
 * to send.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { chromium } from '@playwright/test'
import type { Page } from '@playwright/test'
import { parse } from 'yaml'
import { chromiumFlags, provideChromium } from '#tools/testing/chromium.ts'

type Picture = {
  drawing: string
  picture: string
  width: number
  height: number
  /** Leaves areas without drawing transparent. */
  isClear?: boolean
  theme?: keyof typeof palettes
}
type DrawnBonus = { path: string; drawn: number }

const root = new URL('../../', import.meta.url)
const fontFile = 'node_modules/@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2'

/** Promotion images travel inside a JSON reply, a third larger than here, all of them at once. */
const pictureBytesMax = 40_000

/** The colours of each theme: its tokens, and those that only the drawings use. */
const palettes = {
  dark: {
    accent: '#ddeb7b',
    'accent-ink': '#141210',
    ink: '#f9f5ec',
    'stairs-ground': '#2e2a25',
    'stairs-1': '#6c7344',
    'stairs-2': '#8a944f',
    'stairs-3': '#a8b45c',
    'stairs-4': '#c4d169',
    'overlap-ground': '#2a2145',
    'overlap-paid': '#b5a1f2',
    'overlap-shared': '#4d3d86',
    'diamonds-ground': '#153a33',
    'diamonds-paid': '#8fb3a6',
  },
  blue: {
    accent: '#6fd6e8',
    'accent-ink': '#03202a',
    ink: '#f3f7ff',
    'stairs-ground': '#192a4d',
    'stairs-1': '#2f5578',
    'stairs-2': '#3b728f',
    'stairs-3': '#4a90a9',
    'stairs-4': '#5cb2c8',
    'overlap-ground': '#25205f',
    'overlap-paid': '#aeb8ff',
    'overlap-shared': '#3f46a0',
    'diamonds-ground': '#0b3b52',
    'diamonds-paid': '#84b4c8',
  },
}

const promotions = ['first-purchase', 'larger-amounts', 'pay-with-matic', 'pay-with-bnb']
const pictures: readonly Picture[] = [
  ...promotions.flatMap((name) =>
    (['dark', 'blue'] as const).map((theme) => ({
      drawing: `tools/art/${name}.svg`,
      picture: `sales/promotions/${name}${theme === 'blue' ? '-blue' : ''}.png`,
      width: 1200,
      height: 800,
      theme,
    })),
  ),
  {
    drawing: 'tools/art/logo.svg',
    picture: 'sales/brand/logo.png',
    width: 336,
    height: 104,
    isClear: true,
  },
  {
    drawing: 'tools/art/app-icon.svg',
    picture: 'sales/brand/icon.png',
    width: 512,
    height: 512,
  },
  {
    drawing: 'tools/art/social-preview.svg',
    picture: 'sales/brand/social-preview.png',
    width: 1200,
    height: 630,
  },
]

const stages = await readStages()
const font = (await readFile(new URL(fontFile, root))).toString('base64')
const browser = await chromium.launch({
  executablePath: await provideChromium(),
  args: chromiumFlags,
})
try {
  for (const picture of pictures) {
    const page = await browser.newPage({ viewport: picture })
    await render(page, picture)
    await page.close()
  }
} finally {
  await browser.close()
}

async function render(page: Page, wanted: Picture): Promise<void> {
  const { drawing, picture, width, height, isClear = false, theme = 'dark' } = wanted
  const svg = await readFile(new URL(drawing, root), 'utf8')
  const colours = Object.entries(palettes[theme]).map(([name, colour]) => `--${name}: ${colour}`)
  await page.setContent(`<style>
    :root { ${colours.join(';')} }
    @font-face {
      font-family: 'Archivo Variable';
      font-weight: 100 900;
      font-stretch: 62% 125%;
      src: url(data:font/woff2;base64,${font}) format('woff2');
    }
    body { margin: 0 }
    svg { display: block; width: ${width}px; height: ${height}px }
  </style>${svg}`)
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  for (const bonus of await drawnBonuses(page)) checkDrawnBonus(drawing, bonus)
  const png = await page.screenshot({ omitBackground: isClear })
  if (png.length > pictureBytesMax) {
    throw new Error(
      `${picture} has ${png.length} bytes, more than ${pictureBytesMax}: simplify it.`,
    )
  }
  await writeFile(new URL(picture, root), png)
  console.log(`${picture}: ${width} x ${height}, ${png.length} bytes`)
}

function drawnBonuses(page: Page): Promise<DrawnBonus[]> {
  return page.$$eval('[data-bonus]', (elements) =>
    elements.map((element) => ({
      path: element.getAttribute('data-bonus') ?? '',
      drawn:
        Number(element.getAttribute('height')) /
        Number(element.closest('[data-units-per-point]')?.getAttribute('data-units-per-point')),
    })),
  )
}

/** A picture is shown for the whole sale, so its steps have to be right in every stage. */
function checkDrawnBonus(drawing: string, { path, drawn }: DrawnBonus): void {
  for (const stage of stages) {
    const declared = valueAt(stage, ['bonuses', ...path.split('.')])
    if (declared === drawn) continue
    throw new Error(
      `${drawing} draws ${drawn}, but bonuses.${path} of ${String(valueAt(stage, ['name']))} ` +
        `is ${String(declared)}: change the drawing or the sale.`,
    )
  }
}

async function readStages(): Promise<unknown[]> {
  const sale: unknown = parse(await readFile(new URL('sales/huh.yaml', root), 'utf8'))
  const declared = valueAt(sale, ['stages'])
  if (!Array.isArray(declared)) throw new Error('sales/huh.yaml has no list of stages.')
  return declared
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  )
}
