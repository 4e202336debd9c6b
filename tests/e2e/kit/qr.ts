import type { Locator, Page } from '@playwright/test'
import { decodeQR } from 'qr/decode.js'

/**
 * What a camera would read: the code is found and decoded in the pixels of a screenshot. `shown` is
 * the element around the code, with its white margin. Throws if none can be read.
 */
export async function readQrCode(page: Page, shown: Locator): Promise<string> {
  const picture = await shown.screenshot({ animations: 'disabled' })
  return decodeQR(await pixelsOf(page, picture))
}

/** The browser decodes the picture, on an empty page to which none of the product's rules apply. */
async function pixelsOf(page: Page, png: Buffer) {
  const empty = await page.context().newPage()
  try {
    return await empty.evaluate(async (base64) => {
      const picture = await (await fetch(`data:image/png;base64,${base64}`)).blob()
      const bitmap = await createImageBitmap(picture)
      const { width, height } = bitmap
      const canvas = new OffscreenCanvas(width, height).getContext('2d')
      if (canvas === null) throw new Error('There is no canvas to draw on.')
      canvas.drawImage(bitmap, 0, 0)
      const { data } = canvas.getImageData(0, 0, width, height)
      return { width, height, data }
    }, png.toString('base64'))
  } finally {
    await empty.close()
  }
}
