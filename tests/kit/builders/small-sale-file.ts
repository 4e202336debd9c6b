/** The smallest valid sale file, in lines that all begin differently. */
export const SMALL_SALE_FILE = `project:
  name: Pear
  symbol: PEAR
  decimals: 6
  main_site_url: https://pear.example
  tagline: Sweet
  launch_notice: Soon
  copyright_year: 2026
  links: { header: {}, footer: {} }
payment_tokens:
  - id: eth
    name: Ether
    short_name: ETH
    chain: ETH
    decimals: 18
    min_amount_fiat: 10
    fixed_price: 2500
    payment_provider_ids: { sandbox: eth }
stages:
  - name: First
    type: fixed
    token_price: 0.5
    total_tokens: 1000
    start_date: P0D
    end_date: P30D
  - name: Second
    type: dynamic
    token_price: 0.75
    final_token_price: 1.25
    total_tokens: 2000
    start_date: P30D
`

/** The small sale file with one of its lines, found by its start, replaced. */
export function changeLine(lineStart: string, replacement: string): string {
  const lines = SMALL_SALE_FILE.split('\n')
  const index = lines.findIndex((line) => line.startsWith(lineStart))
  if (index === -1) throw new Error(`No line of the small sale file starts with "${lineStart}".`)
  return lines.with(index, replacement).join('\n')
}
