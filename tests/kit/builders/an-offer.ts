import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { Project } from '#contract/shapes.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const STAGES = [
  { price: 0.0001, final: 0.00012, tokens: 800e9 },
  { price: 0.00014, final: 0.00014, tokens: 700e9 },
  { price: 0.00017, final: 0.00017, tokens: 600e9 },
  { price: 0.0002, final: 0.0002, tokens: 550e9 },
  { price: 0.00024, final: 0.00024, tokens: 450e9 },
  { price: 0.00028, final: 0.00032, tokens: 400e9 },
]

/**
 * The six stages of the shipped sale, a month each. The one at `reached` has been open for half an
 * hour, and a third of it is sold; earlier ones are over and sold out.
 */
export function sixStages(
  reached: number,
  status: ListedStage['status'] = 'active',
): ListedStage[] {
  const beginsMs = Date.now() - reached * 30 * DAY_MS - HOUR_MS / 2
  return STAGES.map(({ price, final, tokens }, index) => {
    const share = index < reached ? 1 : index === reached && status !== 'upcoming' ? 0.34 : 0
    return {
      id: `stage-${index + 1}`,
      name: `Stage ${index + 1}`,
      type: price === final ? 'fixed' : 'dynamic',
      token_price: price,
      final_token_price: final,
      current_token_price: Number((price + (final - price) * share).toPrecision(12)),
      total_tokens: tokens,
      sold_tokens: tokens * share,
      is_sold_out: share === 1,
      start_date: new Date(beginsMs + index * 30 * DAY_MS).toISOString(),
      end_date: new Date(beginsMs + (index + 1) * 30 * DAY_MS).toISOString(),
      status: index < reached ? 'ended' : index === reached ? status : 'upcoming',
      vesting: null,
    }
  })
}

/** Everything that a sale page may say about a project. */
export const fullOffer = {
  seller: { name: 'HUH Labs Ltd', place: 'Gibraltar', registration: '120934' },
  contract: {
    chain: 'ERC20',
    address: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    explorer_url: 'https://explorer.example/token/0xdAC17F958D2ee523a2206206994597C13D831ec7',
  },
  papers: [
    { title: 'White paper', url: 'https://huh.social/documents/white-paper', date: '2022-07-01' },
    { title: 'Security audit', url: 'https://huh.social/documents/audit', date: '2022-06-12' },
    { title: 'Tokenomics', url: 'https://huh.social/tokenomics', date: null },
  ],
  questions: [
    {
      question: 'When can I sell my tokens?',
      answer: 'Once they are released and HUH is traded somewhere. Neither has happened yet.',
    },
    {
      question: 'What if I send too little?',
      answer:
        'What arrived is credited if it is worth the minimum; otherwise it is owed back to you.',
    },
    {
      question: 'Which coin is cheapest to send?',
      answer: 'That depends on the network of the moment. Litecoin and Polygon usually cost cents.',
    },
  ],
  risk: {
    statement: 'You can lose everything you put in. HUH is not traded yet.',
    summary: [
      'Nobody promises that HUH will be worth what it costs here, or anything at all.',
      'You cannot sell before the tokens are released and traded.',
      'No compensation scheme covers you if things go wrong.',
      'Do not put in more than you can afford to lose.',
    ],
  },
  supply: [
    { label: 'Presale', percentage: 35 },
    { label: 'Swap from v1 to v2', percentage: 18 },
    { label: 'Liquidity', percentage: 17 },
    { label: 'Community', percentage: 15 },
    { label: 'Team', percentage: 10 },
    { label: 'Charity', percentage: 5 },
  ],
  vesting: {
    start_date: null,
    shape: 'linear',
    tranches: [
      { months: 0, percentage: 1 },
      { months: 1, percentage: 19.8 },
      { months: 2, percentage: 19.8 },
      { months: 3, percentage: 19.8 },
      { months: 4, percentage: 19.8 },
      { months: 5, percentage: 19.8 },
    ],
  },
  delivery: null,
} satisfies Partial<Project>

/** A project about which the sale page knows only the older facts. */
export const bareOffer = {
  seller: null,
  contract: null,
  papers: [],
  questions: [],
  risk: null,
  supply: [],
  vesting: null,
  delivery: null,
} satisfies Partial<Project>
