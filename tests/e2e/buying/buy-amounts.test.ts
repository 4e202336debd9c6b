import { expect } from '@playwright/test'

import { usersContract } from '#contract/users.ts'
import { expectAccessible } from '#tests/e2e/kit/accessibility.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import {
  coinField,
  deal,
  dropFaults,
  fixPrices,
  holdBack,
  refusal,
  spendField,
  tokenButton,
  tokenOptions,
} from '#tests/e2e/kit/buying.ts'
import { callProduct } from '#tests/e2e/kit/client.ts'
import { buyForm, storeSession, transactionRows } from '#tests/e2e/kit/pages.ts'
import { logInPerson, type Person, registerPerson, somebody } from '#tests/e2e/kit/people.ts'
import { takePictures } from '#tests/e2e/kit/screenshots.ts'
import { test } from '#tests/e2e/kit/test.ts'

const bonuses =
  '{ tiered_fiat: [{ amount: 250, percentage: 2 }, { amount: 1000, percentage: 5 }], ' +
  'payment_tokens: [{ token_id: matic, percentage: 5 }] }'

test.use({ saleFile: buyingSaleFile({ bonuses, minUsd: '10.5', maxUsd: '5000.123456' }) })

let person: Person

test.beforeAll(async ({ product }) => {
  person = somebody('Anna')
  await registerPerson(product.address, person)
})

test.beforeEach(async ({ page }) => {
  await fixPrices(page, { ETH: 2500, BTC: 60_000, BNB: 550, MATIC: 0.5 })
  await storeSession(page, person)
})

test('the form begins with a thousand dollars in the first token', async ({ page }) => {
  await page.goto('/buy')
  await expect(spendField(page)).toHaveValue('1000')
  await expect(coinField(page)).toHaveValue('0.4')
  await expect(tokenButton(page)).toContainText('ETH')
})

test('below the plan of the stages stands which part of the stage the amount buys', async ({
  page,
}) => {
  await page.goto('/buy')
  // 105,000 tokens of 1,000,000,000.
  await expect(page.getByText('Your $1,000 buys 0.01% of Orchard.')).toBeVisible()
  await spendField(page).fill('11')
  // 1,100 tokens.
  await expect(page.getByText('Your $11 buys 0.00011% of Orchard.')).toBeVisible()
  await spendField(page).fill('')
  await expect(page.getByText('0% of Orchard is sold.')).toBeVisible()
})

test('the address of the page chooses amount and token', async ({ page }) => {
  await page.goto('/buy?usd_amount=1234.56&token_id=matic')
  await expect(spendField(page)).toHaveValue('1234.56')
  await expect(coinField(page)).toHaveValue('2469.12')
  await expect(tokenButton(page)).toContainText('MATIC')
})

for (const [query, usd] of [
  ['usd_amount=250&token_id=no-such-token', '250'],
  ['usd_amount=1e308', '1000'],
  ['usd_amount=-5', '1000'],
  ['usd_amount=00055', '55'],
  ['usd_amount=NaN&token_id=', '1000'],
  ['usd_amount=0.123456789', '0.123456'],
] as const) {
  test(`an address is read as far as it means an amount: ${query}`, async ({ page }) => {
    await page.goto(`/buy?${query}`)
    await expect(spendField(page)).toHaveValue(usd)
    await expect(tokenButton(page)).toContainText('ETH')
  })
}

test('each amount follows the other', async ({ page }) => {
  await page.goto('/buy')
  await spendField(page).fill('500')
  await expect(coinField(page)).toHaveValue('0.2')
  await coinField(page).fill('0.04')
  await expect(spendField(page)).toHaveValue('100')
  await expect(deal(page)).toHaveText('You send 0.04 ETH for 10,000 PEAR')

  await test.step('another token keeps the dollars', async () => {
    await tokenButton(page).click()
    await tokenOptions(page).filter({ hasText: 'Bitcoin' }).click()
    await expect(spendField(page)).toHaveValue('100')
    await expect(coinField(page)).toHaveValue('0.00167')
  })
  await test.step('a shortcut fills both', async () => {
    await page.getByRole('button', { name: /^\$250/ }).click()
    await expect(spendField(page)).toHaveValue('250')
    await expect(coinField(page)).toHaveValue('0.00417')
    await expect(page.getByRole('button', { name: /^\$250/ })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
  })
  await test.step('an emptied field empties the other', async () => {
    await coinField(page).fill('')
    await expect(spendField(page)).toHaveValue('')
  })
})

for (const [keys, usd] of [
  ['1,250', '1250'],
  ['2,500.75', '2500.75'],
  ['12,5', '12.5'],
  ['1,000,000', '1000000'],
  ['1,234,567.5', '1234567.5'],
  ['10,00,000', '1000000'],
  ['1.000.000', '1000000'],
] as const) {
  test(`${keys} is understood as it is typed`, async ({ page }) => {
    await page.goto('/buy')
    await spendField(page).fill('')
    await spendField(page).pressSequentially(keys)
    await expect(spendField(page)).toHaveValue(usd)
    await coinField(page).fill('')
    await coinField(page).pressSequentially(keys)
    await expect(coinField(page)).toHaveValue(usd)
  })
}

test('on a German page a comma is the decimal point, and points separate thousands', async ({
  page,
}) => {
  await page.goto('/buy')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  const usd = page.getByLabel('Ich möchte ausgeben', { exact: true })
  for (const [keys, value] of [
    ['1,000', '1.000'],
    ['1.000.000', '1000000'],
    ['1.234.567,5', '1234567.5'],
  ] as const) {
    await usd.fill('')
    await usd.pressSequentially(keys)
    await expect(usd).toHaveValue(value)
  }
})

test('a comma does not affect an amount entered after it', async ({ page }) => {
  await page.goto('/buy')
  await spendField(page).fill('')
  await spendField(page).pressSequentially('1,')
  await page.getByRole('button', { name: /^\$250/ }).click()
  await expect(spendField(page)).toHaveValue('250')
  await spendField(page).press('End')
  await spendField(page).pressSequentially('.500')
  await expect(spendField(page)).toHaveValue('250.500')
})

test('amounts from the smallest to the largest are never written scientifically', async ({
  page,
}) => {
  await page.goto('/buy?token_id=btc')
  for (const [usd, coins] of [
    ['0.000001', '0'],
    ['0.000601', '0.00000001'],
    ['0.01', '0.00000017'],
    ['10000000000000', '166666666.66667'],
    ['999999999999999999999999', '16666666666666666666.66665'],
  ] as const) {
    await spendField(page).fill(usd)
    await expect(coinField(page)).toHaveValue(coins)
    await expect(buyForm(page)).not.toContainText(/\de[+-]?\d/i)
  }
  for (const [coins, usd] of [
    ['0.00001', '0.6'],
    ['10000000000000', '600000000000000000'],
  ] as const) {
    await coinField(page).fill(coins)
    await expect(spendField(page)).toHaveValue(usd)
  }
})

test('a small amount of coins is the same in the sentence as in its field', async ({ page }) => {
  await fixPrices(page, { BTC: 412_345 })
  await page.goto('/buy?usd_amount=33.3&token_id=btc')
  await expect(coinField(page)).toHaveValue('0.00008076')
  await expect(deal(page)).toHaveText('You send 0.00008076 BTC for 3,330 PEAR')
})

test('a field takes digits and one point, and nothing that is another number', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/buy')
  const usd = spendField(page)
  const typeAnew = async (text: string) => {
    await usd.press('ControlOrMeta+a')
    await page.keyboard.type(text)
  }
  const paste = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await usd.press('ControlOrMeta+a')
    await usd.press('ControlOrMeta+v')
  }
  await typeAnew('1.2.3x4')
  await expect(usd).toHaveValue('1.234')
  await typeAnew('0.123456789')
  await expect(usd).toHaveValue('0.123456')
  await coinField(page).fill('0.123456789')
  await expect(coinField(page)).toHaveValue('0.12345')

  for (const [pasted, value] of [
    ['$1,234.50', '1234.50'],
    ['1,5', '1.5'],
    ['0.123456789012345678901234567890', '0.123456'],
    [' 2 500 ', '2500'],
  ] as const) {
    await paste(pasted)
    await expect(usd, `after pasting ${pasted}`).toHaveValue(value)
  }
  for (const pasted of ['1e308', '-5', 'NaN', 'Infinity', '٣']) {
    await paste('321')
    await paste(pasted)
    await expect(usd, `after pasting ${pasted}`).toHaveValue('321')
  }
})

test('the limits hold to the last unit, with a message at the field', async ({ page }) => {
  await page.goto('/buy')
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/transactions')) asked.push('pay')
  })
  const usd = spendField(page)
  const pay = buyForm(page).getByRole('button', { name: 'Pay', exact: true })
  const expectFault = async (amount: string, message: string, least = '$10.50') => {
    await usd.fill(amount)
    await usd.blur()
    await expect(usd).toHaveAccessibleDescription(`${message} From ${least} to $5,000.123456`)
    await expect(usd).toHaveAttribute('aria-invalid', 'true')
    await pay.click()
    await expect(usd).toBeFocused()
  }
  await expectFault('10.499999', "Can't spend less than $10.50")
  await expectFault('0', "Can't spend less than $10.50")
  await expectFault('5000.123457', "Can't spend more than $5,000.123456")
  await expectFault('999999999999999999', "Can't spend more than $5,000.123456")
  await expectFault('', "Can't be empty")
  await takePictures(page, 'buy-error')
  await expectAccessible(page, 'buy with an error')
  for (const amount of ['10.5', '5000.123456']) {
    await usd.fill(amount)
    await usd.blur()
    await expect(usd).not.toHaveAttribute('aria-invalid')
    await expect(deal(page)).toBeVisible()
  }
  await test.step('the minimum of a token counts where it is larger', async () => {
    await page.goto('/buy?token_id=btc')
    await expectFault('24.999999', "Can't spend less than $25", '$25')
  })
  expect(asked).toEqual([])
})

test('the limits of the stage hold while the minimum of the token is unknown', async ({
  page,
  faults,
}) => {
  const { held } = await holdBack(page, '**/minimum-amount')
  await page.goto('/buy?token_id=btc')
  const usd = spendField(page)
  const expectLimits = async (hint = '') => {
    for (const [amount, message] of [
      ['10.499999', "Can't spend less than $10.50"],
      ['5000.123457', "Can't spend more than $5,000.123456"],
    ] as const) {
      await usd.fill(amount)
      await usd.blur()
      await expect(usd).toHaveAccessibleDescription(`${message} ${hint}`.trim())
    }
    await usd.fill('10.5')
    await usd.blur()
    await expect(usd).not.toHaveAttribute('aria-invalid')
  }
  await expectLimits()
  await expect.poll(() => held.length).toBe(1)
  await held[0]?.fulfill(refusal(404, 'NotFound', 'There is nothing here'))
  await expect(page.getByText('From $10.50 to $5,000.123456')).toBeVisible()
  await expectLimits('From $10.50 to $5,000.123456')
  dropFaults(faults, /404/)
})

test('an error shows only once the field was used', async ({ page }) => {
  await page.goto('/buy?usd_amount=1')
  await expect(page.getByText(/^From \$10\.50/)).toBeVisible()
  await expect(page.getByText("Can't spend less than")).toBeHidden()
  await buyForm(page).getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(page.getByText("Can't spend less than $10.50")).toBeVisible()
})

test('a payment token is found by name, chain and symbol, also with the keyboard', async ({
  page,
}) => {
  await page.goto('/buy')
  await tokenButton(page).focus()
  await page.keyboard.press('Enter')
  const search = page.getByRole('dialog').getByRole('searchbox')
  await expect(search).toBeFocused()
  await expect(tokenOptions(page)).toHaveCount(4)
  await expect(tokenOptions(page).filter({ hasText: 'Bitcoin' })).toContainText('from $25')
  await expect(
    tokenOptions(page).filter({ hasText: 'Binance' }),
    'the stage asks for more than the token',
  ).toContainText('from $10.50')
  await takePictures(page, 'buy-picker', 'window')
  await expectAccessible(page, 'token picker')
  for (const [typed, found] of [
    ['coin', [/Bitcoin/, /Binance Coin/]],
    ['BSC', [/Binance Coin/]],
    ['matic', [/Polygon.*MATIC on Polygon.*\+5% bonus/]],
    ['erc20', [/Ethereum.*ETH on Ethereum \(ERC20\)/]],
    [' ERC20  eth ', [/Ethereum.*ETH on Ethereum \(ERC20\)/]],
    ['bep-20', [/Binance Coin.*BNB on BNB Smart Chain \(BSC\)/]],
    ['btc', [/Bitcoin.*BTC on Bitcoin/]],
  ] as const) {
    await search.fill(typed)
    await expect(tokenOptions(page)).toHaveText([...found])
  }
  await search.fill('no such coin')
  await expect(page.getByText('No payment token matches')).toBeVisible()
  await search.fill('b')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(tokenButton(page)).toContainText('BNB')
  await expect(tokenButton(page)).toBeFocused()

  await test.step('Escape leaves the choice as it was', async () => {
    await page.keyboard.press('Enter')
    await expect(search).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(tokenButton(page)).toContainText('BNB')
  })
})

test('what was typed to the last decimal is what is bought', async ({ page, product }) => {
  const session = await logInPerson(product.address, person)
  await page.goto('/buy')
  await spendField(page).fill('123.456789')
  await buyForm(page).getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Transaction' })).toBeVisible()
  await expect(transactionRows(page).first()).toContainText('$123.46')
  const { data } = await callProduct(
    product.address,
    usersContract.listTransactions,
    { params: { id: session.user.id }, query: { limit: '1' } },
    session.accessToken,
  )
  expect(data).toMatchObject([{ initial_purchase_amount_fiat: 123.456789 }])
})
