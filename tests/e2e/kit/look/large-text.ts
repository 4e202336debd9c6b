import { chromiumFlags, findChromium } from '#tools/testing/chromium.ts'

const executablePath = await findChromium()

/** For `test.use`: a browser whose owner has set texts to twice the usual size. */
export const largeText = {
  launchOptions: {
    args: [...chromiumFlags, '--blink-settings=defaultFontSize=32'],
    ...(executablePath !== undefined && { executablePath }),
  },
}
