/**
 * Renders the drawings beside this file into the pictures that the shipped sale shows:
 *
 *     node tools/art/render.ts
 *
 * It refuses drawings whose numbers are not those of the shipped sale, and pictures too heavy to
 * send.
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
  /** What the drawing leaves empty stays clear. */
  isClear?: boolean
}
type DrawnNumber = { path: string; text: string }

const root = new URL('../../', import.meta.url)
const fontFile = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'

/** Promotion images travel inside a JSON reply, a third larger than here, all of them at once. */
const pictureBytesMax = 150_000

const promotions = ['first-purchase', 'larger-amounts', 'pay-with-matic', 'invite-a-friend']
const pictures: readonly Picture[] = [
  ...promotions.map((name) => ({
    drawing: `tools/art/${name}.svg`,
    picture: `sales/promotions/${name}.png`,
    width: 1200,
    height: 800,
  })),
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
  const { drawing, picture, width, height, isClear = false } = wanted
  const svg = await readFile(new URL(drawing, root), 'utf8')
  await page.setContent(`<style>
    @font-face {
      font-family: 'Inter Variable';
      font-weight: 100 900;
      src: url(data:font/woff2;base64,${font}) format('woff2');
    }
    body { margin: 0 }
    svg { display: block; width: ${width}px; height: ${height}px }
  </style>${svg}`)
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  for (const number of await drawnNumbers(page)) checkDrawnNumber(drawing, number)
  const png = await page.screenshot({ omitBackground: isClear })
  if (png.length > pictureBytesMax) {
    throw new Error(
      `${picture} has ${png.length} bytes, more than ${pictureBytesMax}: simplify it.`,
    )
  }
  await writeFile(new URL(picture, root), png)
  console.log(`${picture}: ${width} x ${height}, ${png.length} bytes`)
}

function drawnNumbers(page: Page): Promise<DrawnNumber[]> {
  return page.$$eval('[data-bonus]', (elements) =>
    elements.map((element) => ({
      path: element.getAttribute('data-bonus') ?? '',
      text: element.textContent,
    })),
  )
}

/** A picture stays up for the whole sale, so its numbers have to hold in every stage. */
function checkDrawnNumber(drawing: string, { path, text }: DrawnNumber): void {
  const drawn = Number(text.replaceAll(/[^0-9.]/g, '').replace(/\.$/, ''))
  for (const stage of stages) {
    const declared = valueAt(stage, ['bonuses', ...path.split('.')])
    if (declared === drawn) continue
    throw new Error(
      `${drawing} says '${text}', but bonuses.${path} of ${String(valueAt(stage, ['name']))} ` +
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
