import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { ownExportContract } from '#contract/export.ts'
import { peopleContract } from '#contract/operator/people.ts'
import { usersContract } from '#contract/users.ts'
import { walletsContract } from '#contract/delivery/wallets.ts'
import { authContract } from '#contract/auth.ts'
import { listBrokenInvariants } from '#tests/kit/model/broken-invariants.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { remindOfChanges } from '#server/use-cases/wallets/remind-of-changes.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { aPurchase } from '#tests/kit/builders/a-purchase.ts'
import { aUser, aVerifiedUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import {
  aKey,
  aMessage,
  deliveringSale,
  freeze,
  setBySignature,
  signed,
  tryToCancel,
  tryToCancelByLink,
  tryToPaste,
  tryToSet,
  walletOf,
} from '#tests/kit/delivery/a-wallet.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { turnOnTwoFactor } from '#tests/kit/builders/authenticator.ts'
import { linkTokenFor } from '#tests/kit/servers/mailbox.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const HOUR_MS = 60 * 60_000
const TREASURY = '0x52908400098527886E0F7030069857D2E4169EE7'
const OWN_CONTRACT = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const BURN = '0x000000000000000000000000000000000000dEaD'
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'

let app: TestApp
let ada: RegisteredUser
let sale: Sale
beforeAll(async () => {
  app = await startApp({
    changeSale: (sale) => ({
      ...deliveringSale(sale),
      delivery: { chain: 'ERC20', chainId: 1, decimals: 18, treasury: TREASURY },
      project: {
        ...sale.project,
        contract: { chain: 'ERC20', address: OWN_CONTRACT, explorerUrl: null },
      },
    }),
    environment: { EVM_TREASURY_137: '0x27b1fdb04752bbc536007a920d24acb045561c26' },
  })
  sale = app.services.sale
})
afterAll(async () => await app.close())
beforeEach(async () => {
  ada = await aVerifiedUser(app)
})
afterEach(() => {
  app.services.sale = sale
})

async function mailsTo({ email }: RegisteredUser) {
  await sendMails(app.services)
  return app.mailbox.taken.filter(({ to }) => to === email)
}

const newestMail = async (user: RegisteredUser) => (await mailsTo(user)).at(-1)

/** The session of the first login does not last as long as a change waits. */
async function loggedIn({ email, password }: RegisteredUser): Promise<RegisteredUser> {
  const reply = await app.client.call(authContract.login, { body: { email, password } })
  return { ...ada, email, password, as: { accessToken: reply.body.data.tokens.access.token } }
}

describe('setting the first wallet', () => {
  test('takes effect at once where the wallet has signed, and is mailed in full', async () => {
    expect(await walletOf(app, ada)).toEqual({
      chain: 'ERC20',
      chain_id: 1,
      wallet: null,
      change: null,
      next_step: 'set',
      checks_contracts: false,
    })
    const key = aKey()
    expect(await setBySignature(app, ada, key)).toMatchObject({
      wallet: { address: key.address, proof: 'signature', is_shared: false },
      change: null,
      next_step: 'change',
    })
    expect((await newestMail(ada))?.text).toContain(key.address)
  })

  test('has the wallet sign for whom, where and what, and until when', async () => {
    const key = aKey()
    const { nonce, message } = await aMessage(app, ada, key.address.toLowerCase())
    const lines = message.split('\n')
    expect(lines.slice(0, 2)).toEqual([
      'localhost:3000 wants you to sign in with your Ethereum account:',
      key.address,
    ])
    expect(lines).toContain(
      'Deliver the tokens of my account to this wallet. This sends nothing and costs nothing.',
    )
    expect(lines).toContain('URI: http://localhost:3000/account')
    expect(lines).toContain('Chain ID: 1')
    expect(lines).toContain(`Nonce: ${nonce}`)
    expect(lines.at(-1)).toBe(`- urn:uuid:${ada.user.id}`)
  })

  test('takes a pasted address, written with its checksum, with its end once more', async () => {
    const { address } = aKey()
    const lower = address.toLowerCase()
    const wrong = await tryToPaste(app, ada, lower, { last_characters: '000000' })
    expect(wrong.refusal.errors?.[0]).toMatchObject({ path: 'last_characters' })
    const unsure = await tryToPaste(app, ada, lower, { is_no_exchange: false })
    expect(unsure.refusal.errors?.[0]).toMatchObject({ path: 'is_no_exchange' })
    const set = await tryToPaste(app, ada, lower, { last_characters: address.slice(-6) })
    expect(set.body.wallet).toMatchObject({ address, proof: 'none' })
  })

  test('takes the password, and the second factor where it is on', async () => {
    const key = aKey()
    const wrong = await tryToPaste(app, ada, key.address, { password: 'another-1815' })
    expect(wrong.refusal.reason).toBe('WrongPassword')
    const phone = await turnOnTwoFactor(app, ada)
    const without = await tryToPaste(app, ada, key.address)
    expect(without.refusal.errors?.[0]).toMatchObject({ path: 'code' })
    const wrongCode = await tryToPaste(app, ada, key.address, { code: '000000' })
    expect(wrongCode.refusal.reason).toBe('WrongCode')
    const code = await phone.nextCode()
    expect((await tryToPaste(app, ada, key.address, { code })).status).toBe(200)
    expect((await walletOf(app, ada)).wallet?.address).toBe(key.address)
  })

  test('takes a proved email address, as anybody may have registered with it', async () => {
    const somebody = await aUser(app)
    const reply = await tryToPaste(app, somebody, aKey().address)
    expect(reply.refusal.reason).toBe('EmailNotVerified')
    expect((await walletOf(app, somebody)).wallet).toBeNull()
  })

  test.each([
    ['the zero address', `0x${'0'.repeat(40)}`, /nobody has the key/i],
    ['a program of the protocol', `0x${'1'.padStart(40, '0')}`, /nobody has the key/i],
    ['an address to burn at', BURN, /nobody has the key/i],
    ['a wrong checksum', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', /letter of this address/i],
    ['the token’s contract', OWN_CONTRACT.toLowerCase(), /contract of HUH/],
    ['the wallet that sends the tokens', TREASURY, /belongs to this sale/],
    [
      'a treasury of payments',
      '0x27b1fdb04752bbc536007a920d24acb045561c26',
      /belongs to this sale/,
    ],
    ['an address of Bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', /Bitcoin/],
    ['a private key', `0x${'ab'.repeat(32)}`, /private key/],
    ['a name', 'vitalik.eth', /a name/],
  ])('refuses %s', async (_, address, fault) => {
    const reply = await tryToPaste(app, ada, address)
    expect(reply.refusal.errors).toEqual([
      { path: 'address', message: expect.stringMatching(fault) },
    ])
    const asked = { body: { signer: address } }
    const message = await app.client.call(walletsContract.writeWalletMessage, asked, ada.as)
    expect(message.refusal.errors?.[0]).toMatchObject({ path: 'signer' })
  })

  test('refuses an address that the sale has given out to be paid to, whatever case', async () => {
    const bought = await aPurchase(app, ada)
    const { address } = aKey()
    await app.open.database
      .updateTable('purchases')
      .set({ address: address.toLowerCase() })
      .where('id', '=', bought.id)
      .execute()
    const reply = await tryToPaste(app, ada, address)
    expect(reply.refusal.errors?.[0]?.message).toMatch(/belongs to this sale/)
  })

  test('is refused for the contract of a token that pays on any chain', async () => {
    app.services.sale = {
      ...sale,
      paymentTokens: sale.paymentTokens.map((token, nth) =>
        nth === 0 ? { ...token, symbol: 'USDT', contract: USDT } : token,
      ),
    }
    const reply = await tryToPaste(app, ada, USDT.toLowerCase())
    expect(reply.refusal.errors?.[0]?.message).toMatch(/contract of USDT/)
  })

  test('is for two accounts with a note, which only the wallet itself gets', async () => {
    const key = aKey()
    const eve = await aVerifiedUser(app)
    await setBySignature(app, ada, key)
    expect((await tryToPaste(app, eve, key.address)).body.wallet?.is_shared).toBe(false)
    expect((await walletOf(app, ada)).wallet?.is_shared).toBe(true)
  })
})

describe('a signature', () => {
  test('is good once', async () => {
    const key = aKey()
    const proof = await signed(app, ada, key)
    expect((await tryToSet(app, ada, { address: key.address, proof })).status).toBe(200)
    const other = aKey()
    const consent = await signed(app, ada, key, other.address)
    const moved = await tryToPaste(app, ada, other.address, { consent })
    expect(moved.body.wallet?.address).toBe(other.address)
    const again = await tryToSet(app, ada, { address: key.address, proof })
    expect(again.refusal.reason).toBe('WalletMessageInvalid')
  })

  test('is good for its account alone', async () => {
    const key = aKey()
    const eve = await aVerifiedUser(app)
    const proof = await signed(app, eve, key)
    const reply = await tryToSet(app, ada, { address: key.address, proof })
    expect(reply.refusal.reason).toBe('WalletMessageInvalid')
  })

  test('is good for its wallet alone', async () => {
    const proof = await signed(app, ada, aKey())
    const reply = await tryToSet(app, ada, { address: aKey().address, proof })
    expect(reply.refusal.reason).toBe('WalletMessageInvalid')
  })

  test('that agrees to another wallet proves nothing about its own', async () => {
    const key = aKey()
    const proof = await signed(app, ada, key, aKey().address)
    const reply = await tryToSet(app, ada, { address: key.address, proof })
    expect(reply.refusal.reason).toBe('WalletMessageInvalid')
  })

  test('is good for a day', async () => {
    const key = aKey()
    const proof = await signed(app, ada, key)
    await app.passTime(24 * HOUR_MS)
    const later = await loggedIn(ada)
    const reply = await tryToSet(app, later, { address: key.address, proof })
    expect(reply.refusal.reason).toBe('WalletMessageInvalid')
  })

  test('is good for the chain that it names', async () => {
    const key = aKey()
    const proof = await signed(app, ada, key)
    const delivery = { chain: 'polygon', chainId: 137, decimals: 18, treasury: null }
    app.services.sale = { ...app.services.sale, delivery }
    const reply = await tryToSet(app, ada, { address: key.address, proof })
    expect(reply.refusal.reason).toBe('WalletMessageInvalid')
  })

  test.each([
    ['of another key', async (message: string) => await aKey().signMessage({ message })],
    ['of a contract wallet', async () => `0x${'12'.repeat(97)}`],
    ['that is none', async () => '0x00'],
  ])('%s cannot be checked without a node', async (_, sign) => {
    const key = aKey()
    const { nonce, message } = await aMessage(app, ada, key.address)
    const proof = { nonce, signature: await sign(message) }
    const reply = await tryToSet(app, ada, { address: key.address, proof })
    expect(reply.refusal.reason).toBe('SignatureUnchecked')
    expect((await walletOf(app, ada)).wallet).toBeNull()
  })
})

describe('changing the wallet', () => {
  test('waits 48 hours, in which two mails let it be cancelled', async () => {
    const first = aKey()
    const second = aKey()
    await setBySignature(app, ada, first)
    expect(await setBySignature(app, ada, second)).toMatchObject({
      wallet: { address: first.address },
      change: { address: second.address, proof: 'signature' },
      next_step: 'cancel',
    })
    const asked = await newestMail(ada)
    expect(asked?.text).toContain(second.address)
    expect(asked?.text).toContain('/cancel-wallet?token=')
    await remindOfChanges(app.services)
    expect(await newestMail(ada)).toEqual(asked)
    await app.passTime(25 * HOUR_MS)
    await remindOfChanges(app.services)
    await remindOfChanges(app.services)
    const mails = await mailsTo(ada)
    expect(mails.filter(({ subject }) => subject.startsWith('Last call'))).toHaveLength(1)
    expect(mails.at(-1)?.text).toContain(second.address)
    expect(linkTokenFor(app.mailbox, ada.email)).toHaveLength(43)
    await app.passTime(23 * HOUR_MS)
    expect(await walletOf(app, await loggedIn(ada))).toMatchObject({
      wallet: { address: second.address },
      change: null,
      next_step: 'change',
    })
  })

  describe('while no mail can be sent', () => {
    const [first, second] = [aKey(), aKey()]
    beforeEach(async () => {
      await setBySignature(app, ada, first)
      await sendMails(app.services)
      app.mailbox.isDown = true
      await setBySignature(app, ada, second)
      await sendMails(app.services)
    })
    afterEach(() => {
      app.mailbox.isDown = false
      app.complaints.length = 0
    })

    test('is cancelled a day before it would take effect, and its owner told', async () => {
      await remindOfChanges(app.services)
      expect((await walletOf(app, ada)).change).not.toBeNull()
      await app.passTime(25 * HOUR_MS)
      await remindOfChanges(app.services)
      const later = await loggedIn(ada)
      expect((await walletOf(app, later)).change).toBeNull()
      app.mailbox.isDown = false
      await remindOfChanges(app.services)
      const sent = (await mailsTo(ada)).filter(({ text }) => text.includes(second.address))
      expect(sent.map(({ text }) => text)).toEqual([
        expect.stringContaining('could not be sent in time, so we cancelled it'),
      ])
      await app.passTime(48 * HOUR_MS)
      expect((await walletOf(app, await loggedIn(ada))).wallet?.address).toBe(first.address)
    })

    test('is told as done if it took effect while the server was down too', async () => {
      await app.passTime(49 * HOUR_MS)
      app.mailbox.isDown = false
      await remindOfChanges(app.services)
      const newest = await newestMail(ada)
      expect(newest?.subject).toBe('Your HUH tokens go to this wallet')
      expect(newest?.text).toContain(second.address)
      expect((await walletOf(app, await loggedIn(ada))).wallet?.address).toBe(second.address)
    })
  })

  test('is cancelled by the session, and can be asked for again', async () => {
    const first = aKey()
    await setBySignature(app, ada, first)
    await setBySignature(app, ada)
    expect((await tryToCancel(app, ada)).body).toMatchObject({
      wallet: { address: first.address },
      change: null,
    })
    expect((await tryToCancel(app, ada)).status).toBe(200)
    expect((await newestMail(ada))?.subject).toMatch(/change of your HUH wallet was cancelled/)
    await app.passTime(49 * HOUR_MS)
    const later = await loggedIn(ada)
    expect((await walletOf(app, later)).wallet?.address).toBe(first.address)
    expect((await setBySignature(app, later)).next_step).toBe('cancel')
  })

  test('is cancelled by the mailed link without a login, once, and only the one it is for', async () => {
    await setBySignature(app, ada)
    await setBySignature(app, ada)
    await sendMails(app.services)
    const token = linkTokenFor(app.mailbox, ada.email)
    expect((await tryToCancelByLink(app, token)).status).toBe(204)
    expect((await walletOf(app, ada)).change).toBeNull()
    await setBySignature(app, ada)
    expect((await tryToCancelByLink(app, token)).refusal.reason).toBe('LinkInvalid')
    expect((await walletOf(app, ada)).change).not.toBeNull()
  })

  test('is cancelled by no link after it took effect, nor by one of nobody', async () => {
    await setBySignature(app, ada)
    await setBySignature(app, ada)
    await sendMails(app.services)
    const token = linkTokenFor(app.mailbox, ada.email)
    await app.passTime(49 * HOUR_MS)
    expect((await tryToCancelByLink(app, token)).refusal.reason).toBe('LinkInvalid')
    expect((await tryToCancelByLink(app, 'of-nobody')).refusal.reason).toBe('LinkInvalid')
  })

  test('is refused while another change waits', async () => {
    const first = aKey()
    await setBySignature(app, ada, first)
    await setBySignature(app, ada)
    const third = aKey()
    const consent = await signed(app, ada, first, third.address)
    const reply = await tryToPaste(app, ada, third.address, { consent })
    expect(reply.refusal.reason).toBe('WalletChangeWaits')
  })

  test('takes effect at once where the wallet so far has signed it', async () => {
    const first = aKey()
    const second = aKey()
    await setBySignature(app, ada, first)
    const stranger = await signed(app, ada, aKey(), second.address)
    const refused = await tryToPaste(app, ada, second.address, { consent: stranger })
    expect(refused.refusal.reason).toBe('WalletMessageInvalid')
    const consent = await signed(app, ada, first, second.address)
    expect((await tryToPaste(app, ada, second.address, { consent })).body).toMatchObject({
      wallet: { address: second.address, proof: 'none' },
      change: null,
    })
  })

  test('does not skip the wait by a consent to yet another wallet', async () => {
    const first = aKey()
    await setBySignature(app, ada, first)
    const consent = await signed(app, ada, first, aKey().address)
    const reply = await tryToPaste(app, ada, aKey().address, { consent })
    expect(reply.refusal.reason).toBe('WalletMessageInvalid')
  })

  test('is refused where the wallet is another one than was shown', async () => {
    await setBySignature(app, ada)
    const late = await tryToPaste(app, ada, aKey().address, { former: null })
    expect(late.refusal.reason).toBe('WalletChanged')
    const other = await tryToPaste(app, ada, aKey().address, { former: aKey().address })
    expect(other.refusal.reason).toBe('WalletChanged')
  })

  test('is refused to the wallet that is set already', async () => {
    const key = aKey()
    await setBySignature(app, ada, key)
    const reply = await tryToPaste(app, ada, key.address)
    expect(reply.refusal.errors?.[0]).toMatchObject({ path: 'address' })
  })

  test('can be asked for twenty times a day', async () => {
    await setBySignature(app, ada)
    for (let tries = 1; tries < 20; tries += 1) await tryToPaste(app, ada, BURN)
    expect((await tryToPaste(app, ada, aKey().address)).status).toBe(429)
  })
})

describe('after the freeze', () => {
  test('a wallet that is being set at that very moment is refused', async () => {
    const first = aKey()
    await setBySignature(app, ada, first)
    // What a node is asked is asked before anything is locked.
    const isContract = vi.spyOn(app.services.wallets, 'isContract')
    isContract.mockImplementationOnce(async () => {
      await freeze(app, [{ id: ada.user.id, address: first.address }])
      return false
    })
    expect((await tryToPaste(app, ada, aKey().address)).refusal.reason).toBe('WalletFrozen')
    expect(isContract).toHaveBeenCalledOnce()
    isContract.mockRestore()
  })

  test('who is in the newest snapshot with a wallet cannot change it', async () => {
    const first = aKey()
    await setBySignature(app, ada, first)
    await freeze(app, [{ id: ada.user.id, address: first.address }])
    expect((await walletOf(app, ada)).next_step).toBe('frozen')
    const other = aKey()
    const consent = await signed(app, ada, first, other.address)
    const reply = await tryToPaste(app, ada, other.address, { consent })
    expect(reply.refusal.reason).toBe('WalletFrozen')
    expect((await walletOf(app, ada)).wallet?.address).toBe(first.address)
  })

  test('who had none may set one, until a newer snapshot has it', async () => {
    await freeze(app, [{ id: ada.user.id, address: null }])
    expect((await walletOf(app, ada)).next_step).toBe('set')
    const key = aKey()
    expect((await setBySignature(app, ada, key)).next_step).toBe('change')
    await freeze(app, [{ id: ada.user.id, address: key.address }])
    expect((await walletOf(app, ada)).next_step).toBe('frozen')
  })

  test('a change that waited is cancelled, and its owner is told why', async () => {
    const first = aKey()
    await setBySignature(app, ada, first)
    await setBySignature(app, ada)
    await freeze(app, [{ id: ada.user.id, address: first.address }])
    expect(await walletOf(app, ada)).toMatchObject({
      wallet: { address: first.address },
      change: null,
      next_step: 'frozen',
    })
    expect((await newestMail(ada))?.text).toContain('was closed before your change took effect')
    await app.passTime(49 * HOUR_MS)
    expect((await walletOf(app, await loggedIn(ada))).wallet?.address).toBe(first.address)
  })
})

test('an account is not erased for two days after its wallet was set, so its owner can change it', async () => {
  const thief = aKey()
  await setBySignature(app, ada, thief)
  const erase = { params: { id: ada.user.id }, body: { password: ada.password } }
  const byOperator = { params: erase.params, headers: named, body: { email: ada.email } }
  const tryToErase = async () => [
    await app.client.call(usersContract.eraseUser, erase, (await loggedIn(ada)).as),
    await app.client.call(peopleContract.erasePerson, byOperator, operator),
  ]
  const refused = (wait: string) => ({
    status: 409,
    refusal: { reason: 'WalletTooNew', message: expect.stringContaining(`Try again in ${wait}`) },
  })
  expect(await tryToErase()).toMatchObject([refused('48 hours'), refused('48 hours')])
  // Nor is it while nobody was told, from when the two days run.
  await app.passTime(50 * HOUR_MS)
  expect(await tryToErase()).toMatchObject([refused('60 minutes'), refused('60 minutes')])
  expect((await mailsTo(ada)).some(({ text }) => text.includes(thief.address))).toBe(true)
  await app.passTime(1000)
  expect(await tryToErase()).toMatchObject([refused('48 hours'), refused('48 hours')])
  await app.passTime(48 * HOUR_MS)
  expect(await tryToErase()).toMatchObject([{ status: 204 }, { status: 404 }])
})

test('an account is not erased either while nobody was told that its wallet was changed', async () => {
  await setBySignature(app, ada)
  await mailsTo(ada)
  await app.passTime(48 * HOUR_MS)
  ada = await loggedIn(ada)
  await setBySignature(app, ada, aKey())
  await app.passTime(50 * HOUR_MS)
  const input = { params: { id: ada.user.id }, body: { password: ada.password } }
  const { refusal } = await app.client.call(
    usersContract.eraseUser,
    input,
    (await loggedIn(ada)).as,
  )
  expect(refusal).toMatchObject({
    reason: 'WalletTooNew',
    message: expect.stringContaining('Try again in 60 minutes'),
  })
})

test('an account is erased a month after its wallet was set, even if its mail never left', async () => {
  await setBySignature(app, ada)
  const input = { params: { id: ada.user.id }, body: { password: ada.password } }
  const tryToErase = async () =>
    await app.client.call(usersContract.eraseUser, input, (await loggedIn(ada)).as)
  await app.passTime(30 * 24 * HOUR_MS - 60_000)
  expect(await tryToErase()).toMatchObject({
    refusal: { message: expect.stringContaining('Try again in a minute') },
  })
  await app.passTime(60_000)
  expect((await tryToErase()).status).toBe(204)
})

test('an erased account keeps its wallet for the books, and no change of it waits on', async () => {
  const first = aKey()
  await setBySignature(app, ada, first)
  expect((await mailsTo(ada)).at(-1)?.text).toContain(first.address)
  await app.passTime(48 * HOUR_MS)
  ada = await loggedIn(ada)
  await setBySignature(app, ada)
  const body = { password: ada.password }
  const params = { id: ada.user.id }
  const erased = await app.client.call(usersContract.eraseUser, { params, body }, ada.as)
  expect(erased.status).toBe(204)
  const rows = await app.open.database
    .selectFrom('receiving_wallets')
    .selectAll()
    .where('user_id', '=', ada.user.id)
    .orderBy('set_at')
    .execute()
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatchObject({ address: first.address, cancelled_at: null })
  expect(rows[1]?.cancelled_at).not.toBeNull()
  const messages = await app.open.database
    .selectFrom('wallet_challenges')
    .selectAll()
    .where('user_id', '=', ada.user.id)
    .execute()
  expect(messages).toEqual([])
})

test('the export has every wallet with what it has signed', async () => {
  const key = aKey()
  await setBySignature(app, ada, key)
  const params = { id: ada.user.id }
  const { body } = await app.client.call(ownExportContract.exportUser, { params }, ada.as)
  expect(body.receiving_wallets).toMatchObject([
    { address: key.address, chain_id: 1, proof: 'signature', cancelled_date: null },
  ])
  expect(body.receiving_wallets[0]?.message).toContain(`urn:uuid:${ada.user.id}`)
})

test('the guard notices a frozen wallet that was changed by nobody who may', async () => {
  const breaches = async () =>
    (await listBrokenInvariants(app.open.database)).filter((fault) =>
      /receiving wallet/.test(fault),
    )
  const key = aKey()
  await setBySignature(app, ada, key)
  await freeze(app, [{ id: ada.user.id, address: key.address }])
  expect(await breaches()).toEqual([])
  const row = await app.open.database
    .selectFrom('receiving_wallets')
    .selectAll()
    .where('user_id', '=', ada.user.id)
    .executeTakeFirstOrThrow()
  await app.passTime(1_000)
  const at = app.clock.now()
  const thiefs = { id: crypto.randomUUID(), address: aKey().address, set_at: at, effective_at: at }
  await app.open.database
    .insertInto('receiving_wallets')
    .values({ ...row, ...thiefs })
    .execute()
  expect(await breaches()).toEqual([expect.stringContaining('by no operator')])
})

test('a wallet that was set is never changed or deleted', async () => {
  await setBySignature(app, ada)
  const { database } = app.open
  const change = { address: aKey().address }
  await expect(database.updateTable('receiving_wallets').set(change).execute()).rejects.toThrow(
    'never changed',
  )
  await expect(database.deleteFrom('receiving_wallets').execute()).rejects.toThrow('are kept')

  const own = database.selectFrom('receiving_wallets').where('user_id', '=', ada.user.id)
  const row = await own.selectAll().executeTakeFirstOrThrow()
  const again = { ...row, id: crypto.randomUUID() }
  await expect(database.insertInto('receiving_wallets').values(again).execute()).rejects.toThrow(
    'is changed already',
  )
  await tryToPaste(app, ada, aKey().address)
  await tryToCancel(app, ada)
  const revive = database.updateTable('receiving_wallets').set({ cancelled_at: null })
  await expect(revive.where('cancelled_at', 'is not', null).execute()).rejects.toThrow(
    'is cancelled once',
  )
})

test('a sale that delivers nothing has nothing of it', async () => {
  app.services.sale = { ...app.services.sale, delivery: null }
  expect((await app.client.call(walletsContract.getOwnWallet, {}, ada.as)).status).toBe(404)
  expect((await tryToPaste(app, ada, aKey().address)).status).toBe(404)
  expect((await tryToCancel(app, ada)).status).toBe(404)
  const asked = { body: { signer: aKey().address } }
  const message = await app.client.call(walletsContract.writeWalletMessage, asked, ada.as)
  expect(message.status).toBe(404)
})
