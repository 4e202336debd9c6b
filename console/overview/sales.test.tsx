import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Stages } from './sales.tsx'

test('the share of a stage that is sold is rounded down, as everywhere else', () => {
  const stage = { id: 'one', name: 'One', status: 'active', reserved: '0', left: '40' } as const
  const stages = [
    { ...stage, supply: '1000000', sold: '999960' },
    { ...stage, id: 'two', supply: '1000000000', sold: '4890900.00042' },
  ]
  const page = renderToStaticMarkup(<Stages symbol="PEAR" stages={stages} />)
  expect(page).toContain('99.99%')
  expect(page).toContain('0.48%')
})
