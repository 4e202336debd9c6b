/** How the sales of the buying tests differ. */
export type BuyingSale = {
  /** Of the stage; as the sale file has them. */
  tokenPrice: string
  totalTokens: string
  minUsd: string
  maxUsd: string
  /** YAML of the stage's bonuses, on one line. */
  bonuses: string
  expireAfterMinutes: number
}

const usual: BuyingSale = {
  tokenPrice: '0.01',
  totalTokens: '1000000000',
  minUsd: '10',
  maxUsd: '5000',
  bonuses: '{}',
  expireAfterMinutes: 30,
}

/** A sale file with one stage, without an end, and payment tokens that differ in every way. */
export function buyingSaleFile(change: Partial<BuyingSale> = {}): string {
  const sale = { ...usual, ...change }
  return `project:
  name: Pear
  symbol: PEAR
  decimals: 18
  main_site_url: https://pear.example
  tagline: Sweet
  launch_notice: Soon
  copyright_year: 2026
  links: { header: {}, footer: {} }
purchases: { expire_after_minutes: ${sale.expireAfterMinutes}, open_per_user: 100 }
payment_tokens:
  - { id: eth, name: Ethereum, short_name: ETH, chain: ERC20, chain_id: 1, decimals: 18, min_amount_fiat: 10, fixed_price: 2500, payment_provider_ids: { sandbox: eth } }
  - { id: btc, name: Bitcoin, short_name: BTC, chain: BTC, decimals: 8, min_amount_fiat: 25, fixed_price: 60000, payment_provider_ids: { sandbox: btc } }
  - { id: bnb, name: Binance Coin, short_name: BNB, chain: BSC, chain_id: 56, decimals: 18, min_amount_fiat: 10, fixed_price: 550, payment_provider_ids: { sandbox: bnb } }
  - { id: matic, name: Polygon, short_name: MATIC, chain: Polygon, chain_id: 137, decimals: 18, min_amount_fiat: 10, fixed_price: 0.5, payment_provider_ids: { sandbox: matic } }
stages:
  - name: Orchard
    type: fixed
    token_price: ${sale.tokenPrice}
    total_tokens: ${sale.totalTokens}
    start_date: P0D
    min_fiat_amount: ${sale.minUsd}
    max_fiat_amount: ${sale.maxUsd}
    bonuses: ${sale.bonuses}
`
}
