/** The most that a digit of the display face can be wide, relative to its size. */
const DIGIT_EM = 0.66

/**
 * The font size of a figure within a `@container`: the given one, or a smaller one if the figure
 * would be wider than the container. A figure broken between its digits could be misread.
 */
export function unbrokenSize(figure: string, most: string): string {
  return `min(${most}, ${100 / (figure.length * DIGIT_EM)}cqi)`
}
