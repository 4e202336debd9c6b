import { describe, expect, test } from 'vitest'
import { inspect } from 'node:util'
import { readFileSync } from 'node:fs'

import { aPaymentToken, aSale } from '#tests/kit/builders/domain-builders.ts'
import { ConfigFaults, listMissingForSale, parseConfig } from './config.ts'

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(environment)
    return []
  } catch (fault) {
    if (fault instanceof ConfigFaults) return fault.faults
    throw fault
  }
}

const key = 'a secret key for tests, and for nothing else'
const realSale = aSale({ paymentTokens: [aPaymentToken({ rail: 'evm' })] })

describe('the configuration', () => {
  test('needs no variables at all', () => {
    const config = parseConfig({})
    expect(config.http).toMatchObject({ port: 3000, host: '127.0.0.1', publicUrl: null })
    expect(config.database.kind).toBe('embedded')
    expect(config.mail.kind).toBe('sandbox')
    expect(config.saleFile).toMatch(/sales\/huh\.yaml$/)
    expect(Object.isFrozen(config)).toBe(true)
  })

  test('an empty variable counts as unset', () => {
    expect(parseConfig({ PORT: '', DATABASE_URL: '' })).toEqual(parseConfig({}))
  })

  test('reports all faults at once, each with the name of its variable', () => {
    const faults = faultsOf({
      PORT: '70000',
      HOST: 'not a host',
      PUBLIC_URL: 'ftp://presale.example',
      TRUSTED_PROXIES: 'many',
      DATABASE_URL: 'mysql://localhost/presale',
      SMTP_URL: 'mail.example',
      SECRET_KEY: 'short',
      LOG_LEVEL: 'loud',
    })
    expect(faults.map((fault) => fault.split(' ', 1)[0]).toSorted()).toEqual([
      'DATABASE_URL',
      'HOST',
      'LOG_LEVEL',
      'PORT',
      'PUBLIC_URL',
      'SECRET_KEY',
      'SMTP_URL',
      'TRUSTED_PROXIES',
    ])
  })

  test.each([
    ['DATABASE_URL', 'postgres://presale:hunter/2@127.0.0.1/presale'],
    ['SMTP_URL', 'smtp://mail:hunter#2@mail.example'],
  ])('%s with a password that ends the host is refused, and not shown', (name, text) => {
    expect(faultsOf({ [name]: text, SECRET_KEY: key })).toEqual([
      `${name} must have its password percent-encoded: / as %2F, @ as %40, # as %23`,
    ])
  })

  test.each([
    ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8', 'with the capital letters of its checksum'],
    ['0x70997970C51812dc3A010C7d01b50e0d17dc79c8', 'with the capital letters of its checksum'],
    ['vitalik.eth', 'of 0x and 40 digits'],
  ])('EVM_TREASURY_1=%s is refused', (treasury, expected) => {
    expect(faultsOf({ EVM_TREASURY_1: treasury })).toEqual([
      expect.stringContaining(`EVM_TREASURY_1 must be an address ${expected}`),
    ])
  })

  test.each(['0', '-1', '3000.5', '3e3', ' 3000', '65536', '0x10', 'http'])(
    'PORT=%s is refused',
    (port) => {
      expect(faultsOf({ PORT: port })).toEqual(['PORT must be a whole number from 1 to 65535'])
    },
  )

  test.each([
    'presale.example',
    'https://presale.example/shop',
    'https://presale.example/?a=b',
    'https://user:password@presale.example',
  ])('PUBLIC_URL=%s is refused', (url) => {
    expect(faultsOf({ PUBLIC_URL: url })).toHaveLength(1)
  })

  test.each(['short', `${'x'.repeat(32)} `, 'x'.repeat(201), 'ä'.repeat(40)])(
    'OPERATOR_TOKEN or METRICS_TOKEN=%s is refused, without being told',
    (token) => {
      for (const name of ['OPERATOR_TOKEN', 'METRICS_TOKEN']) {
        const [fault, ...others] = faultsOf({ [name]: token })
        expect(others).toEqual([])
        expect(fault?.startsWith(`${name} must be 32 to 200 letters`)).toBe(true)
        expect(fault).not.toContain(token)
      }
    },
  )

  test.each(['smtp://', 'smtps:', 'smtp:///mail', 'smtp:mail.example'])(
    'SMTP_URL=%s is refused, since it names no host',
    (url) => {
      expect(faultsOf({ SMTP_URL: url })).toEqual([
        'SMTP_URL must name the host of a mail server, such as smtp://mail.example:587',
      ])
    },
  )

  describe('of a sale with real payments', () => {
    const faultsOfUrl = (publicUrl: string, sale = realSale) =>
      listMissingForSale(parseConfig({ PUBLIC_URL: publicUrl }), sale).filter((fault) =>
        fault.startsWith('PUBLIC_URL'),
      )

    test('refuses real coins at the sandbox of NOWPayments, and test coins elsewhere', () => {
      const missing = (url: string, testNetwork: string | null) => {
        const btc = aPaymentToken({ symbol: 'BTC', rail: 'nowpayments', testNetwork })
        const config = parseConfig({ NOWPAYMENTS_URL: url })
        return listMissingForSale(config, aSale({ paymentTokens: [btc] })).filter((fault) =>
          fault.startsWith('NOWPAYMENTS_URL'),
        )
      }
      const sandbox = 'https://api-sandbox.nowpayments.io/v1'
      expect(missing(sandbox, null)).toEqual([
        'NOWPAYMENTS_URL must not be that of its sandbox: the sale takes real BTC (test coins have network: testnet in the sale file, and need a database of their own)',
      ])
      expect(missing(sandbox, 'testnet')).toEqual([])
      expect(missing('', null)).toEqual([])
      for (const real of ['', 'https://api.nowpayments.io/v1', 'https://api.nowpayments.io/v1/']) {
        expect(missing(real, 'testnet')).toEqual([
          expect.stringContaining('must be that of its sandbox: the sale takes BTC as a test coin'),
        ])
      }
    })

    test.each(['http://presale.example', 'http://10.0.0.5:3000', 'http://localhost.example'])(
      'refuses PUBLIC_URL=%s, over which buyers are not safe',
      (url) => {
        expect(faultsOfUrl(url)).toEqual([
          expect.stringContaining('PUBLIC_URL must begin with https://'),
        ])
        expect(faultsOfUrl(url, aSale()), 'a sandbox takes it').toEqual([])
      },
    )

    test.each([
      'https://presale.example',
      'http://localhost:3000',
      'http://127.0.0.1:3000',
      'http://[::1]:3000',
      '',
    ])('takes PUBLIC_URL=%s', (url) => {
      expect(faultsOfUrl(url)).toEqual([])
    })
  })

  test.each([
    'a'.repeat(40),
    'change-me-'.repeat(4).slice(0, -1),
    '12345678901234567890123456789012',
  ])('a secret of %s, which anybody would guess, is refused', (text) => {
    expect(faultsOf({ SECRET_KEY: text, OPERATOR_TOKEN: text, METRICS_TOKEN: text })).toEqual([
      expect.stringMatching(/^SECRET_KEY must be .* guess, .*: openssl rand -base64 48$/),
      expect.stringMatching(/^OPERATOR_TOKEN must be .* guess, .*: openssl rand -hex 32$/),
      expect.stringMatching(/^METRICS_TOKEN must be .* guess, .*: openssl rand -hex 32$/),
    ])
  })

  test.each([
    'f00dfacef00dcafe0b0edecade00beef1ced0dadfadedeafacc01adebabe5eed',
    '0123456789abcdef'.repeat(2).split('').toSorted().join(''),
  ])('random digits of a short alphabet are a secret: %s', (text) => {
    expect(faultsOf({ SECRET_KEY: text, OPERATOR_TOKEN: text, METRICS_TOKEN: text })).toEqual([])
  })

  test('PUBLIC_URL loses the slash at its end', () => {
    const { http } = parseConfig({ PUBLIC_URL: 'https://presale.example/' })
    expect(http.publicUrl).toBe('https://presale.example')
  })

  test('a PostgreSQL database needs a secret key of its own', () => {
    const DATABASE_URL = 'postgres://localhost/presale'
    expect(faultsOf({ DATABASE_URL })).toEqual([expect.stringMatching(/^SECRET_KEY must be set/)])
    expect(faultsOf({ DATABASE_URL, SECRET_KEY: key })).toEqual([])
  })

  test('no way of printing it shows a secret', () => {
    const config = parseConfig({
      DATABASE_URL: 'postgres://presale:hunter2@localhost/presale',
      SMTP_URL: 'smtp://mail:hunter2@mail.example',
      SECRET_KEY: `hunter2${key}`,
    })
    const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
    const printed = [
      JSON.stringify(config, asText),
      inspect(config, { depth: 9 }),
      `${config.secretKey}`,
    ]
    expect(printed.join()).not.toContain('hunter2')
    expect(printed.join()).toContain('[secret]')
    expect(config.secretKey?.reveal()).toBe(`hunter2${key}`)
  })

  test('.env.example names the variables that are read, and its examples are right', () => {
    const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
    const examples = Object.fromEntries(
      [...text.matchAll(/^#([A-Z\d_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    )
    const read = new Set<string>()
    const environment = new Proxy(
      { ...examples, SECRET_KEY: key },
      {
        get: (target: Record<string, string>, name: string) => {
          read.add(name)
          return target[name]
        },
      },
    )
    expect(faultsOf(environment)).toEqual([])
    expect([...read].toSorted()).toEqual(Object.keys(examples).toSorted())
  })
})
