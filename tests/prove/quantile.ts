/** The figure below which a share of all of them lies; 0 if there are none. */
export function quantile(figures: readonly number[], share: number): number {
  return figures.toSorted((one, other) => one - other)[Math.floor(figures.length * share)] ?? 0
}

export const median = (figures: readonly number[]): number => quantile(figures, 0.5)
