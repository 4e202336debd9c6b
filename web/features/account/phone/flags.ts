const flagFiles = import.meta.glob<string>(
  '../../../../node_modules/country-flag-icons/3x2/[A-Z][A-Z].svg',
  { query: '?url&no-inline', import: 'default', eager: true },
)

const flagUrls = new Map(
  Object.entries(flagFiles).map(([file, url]) => [file.slice(-'GB.svg'.length, -4), url]),
)

/** Where the picture of a country's flag is; undefined where there is none. */
export function flagUrlOf(countryCode: string): string | undefined {
  return flagUrls.get(countryCode)
}
