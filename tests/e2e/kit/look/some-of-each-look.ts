import type { Page } from '@playwright/test'

/** What the elements of a page look like, in the order of the document. */
type Looks = {
  styles: string[]
  elements: { parent: number; style: number; canBeChecked: boolean }[]
}

const OF_EACH = 3

/**
 * The places, among {@link ELEMENTS}, of some elements of each look, for rules about colours. Two
 * look alike if they and all around them have the same classes and styles. What is not in the flow
 * of the page looks alike only in the same place, since it may lie on something else.
 */
export async function someOfEachLook(page: Page): Promise<number[]> {
  const { styles, elements } = await page.evaluate(readLooks, ELEMENTS)
  const numbers = new Map<string, number>()
  const chosen = new Map<number, number>()
  const numberOf: number[] = []
  return elements.flatMap(({ parent, style, canBeChecked }, place) => {
    const look = `${numberOf[parent]} ${styles[style]}`
    const number = numbers.get(look) ?? numbers.size
    numbers.set(look, number)
    numberOf.push(number)
    const times = chosen.get(number) ?? 0
    if (!canBeChecked || times >= OF_EACH) return []
    chosen.set(number, times + 1)
    return [place]
  })
}

export const ELEMENTS = 'html, body, body *'

/** Runs in the page. */
function readLooks(selector: string): Looks {
  const styles = new Map<string, number>()
  const places = new Map<Element | null, number>()
  const elements = [...document.querySelectorAll(selector)].map((element, place) => {
    const style = getComputedStyle(element)
    const isInFlow = ['static', 'relative'].includes(style.position)
    const own = JSON.stringify([
      element.localName,
      element.getAttribute('class'),
      element.matches(':disabled, [aria-disabled=true]'),
      style.color,
      style.backgroundColor,
      style.backgroundImage,
      style.fontSize,
      style.fontWeight,
      style.opacity,
      style.display,
      style.visibility,
      style.filter,
      style.mixBlendMode,
      style.textShadow,
      style.textDecorationLine,
      style.position,
      isInFlow ? null : element.getBoundingClientRect(),
    ])
    if (!styles.has(own)) styles.set(own, styles.size)
    places.set(element, place)
    const texts = [...element.childNodes].filter((node) => node instanceof Text)
    // The contrast of a single letter is not judged.
    const hasText =
      texts
        .map(({ data }) => data)
        .join('')
        .trim().length > 1
    return {
      parent: places.get(element.parentElement) ?? -1,
      style: styles.get(own) ?? 0,
      canBeChecked:
        element.checkVisibility() &&
        (hasText || element.matches('a, button, input, select, textarea')),
    }
  })
  return { styles: [...styles.keys()], elements }
}
