export function throughText(through: number | null): string {
  if (through === null) return 'Everything'
  if (through === 0) return 'The release at the start'
  return `Releases up to month ${through}`
}
