import type { Page } from '@playwright/test'

import type { ListedStage } from '#contract/sale-page-shapes.ts'

type Status = ListedStage['status']

/** A stage of a sale for the list of all stages, named and priced by its number. */
export function plannedStage(number: number, status: Status): ListedStage {
  return {
    id: `stage-${number}`,
    name: `Stage ${number}`,
    type: 'fixed',
    token_price: number / 10,
    final_token_price: number / 10,
    current_token_price: number / 10,
    total_tokens: 1000,
    sold_tokens: status === 'ended' ? 1000 : 0,
    start_date: new Date(Date.UTC(2030, number)).toISOString(),
    end_date: null,
    status,
  }
}

/** Makes these the stages of the page's seed and of the call, from the next page on. */
export async function planStages(page: Page, stages: readonly ListedStage[]): Promise<void> {
  await page.route('**/api/v1/stages', (route) => route.fulfill({ json: stages }))
  await page.route(
    (url) => url.pathname === '/',
    async (route) => {
      const response = await route.fetch()
      const html = await response.text()
      const body = html.replace(/"stages":\[.*?\](?=[,}])/, `"stages":${JSON.stringify(stages)}`)
      await route.fulfill({ response, body })
    },
  )
}
