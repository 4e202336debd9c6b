import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

import type {
  NewPasskey,
  PasskeyCreation,
  PasskeyRequest,
  UsedPasskey,
} from '#contract/operator/passkeys.ts'

/** An authenticator in software: one passkey with its key, as WebAuthn Level 3 has it. */
export type SoftPasskey = {
  /** What a browser on `origin` replies when a passkey is made. */
  make(options: PasskeyCreation, given?: Given): NewPasskey
  /** What it replies when the passkey is used; its counter grows by one each time. */
  use(options: PasskeyRequest, given?: Given): UsedPasskey
  /** Its own count of how often it was used. */
  counter: number
}

type Given = {
  origin?: string
  /** Whether the device knows its user, by a finger or a PIN. */
  isVerified?: boolean
  /** Signs something other than what was requested. */
  challenge?: string
}

const ORIGIN = 'http://localhost:3000'

/** Bits of the flags: present, verified, key data attached. */
const [PRESENT, VERIFIED, WITH_KEY] = [0x01, 0x04, 0x40]

export function aSoftPasskey(counter = 0): SoftPasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let userHandle = Buffer.from('nobody').toString('base64url')
  const named = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    authenticatorAttachment: 'platform' as const,
    clientExtensionResults: {},
  }
  const passkey: SoftPasskey = {
    counter,
    make({ challenge, rp, user }, given = {}) {
      userHandle = user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const key = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      const head = authenticatorData(rp.id, WITH_KEY, passkey.counter, given)
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(Buffer.concat([head, key]))],
      ])
      return {
        ...named,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, given).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal', 'hybrid'],
        },
      }
    },
    use({ challenge, rpId }, given = {}) {
      passkey.counter += passkey.counter === 0 ? 0 : 1
      const data = authenticatorData(rpId, 0, passkey.counter, given)
      const client = clientData('webauthn.get', challenge, given)
      const digest = createHash('sha256').update(client).digest()
      return {
        ...named,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, digest]), privateKey).toString(
            'base64url',
          ),
          userHandle,
        },
      }
    },
  }
  return passkey
}

function clientData(type: string, challenge: string, given: Given): Buffer {
  const { origin = ORIGIN } = given
  const data = { type, challenge: given.challenge ?? challenge, origin, crossOrigin: false }
  return Buffer.from(JSON.stringify(data))
}

function authenticatorData(rpId: string, flags: number, counter: number, given: Given): Buffer {
  const rest = Buffer.alloc(5)
  rest.writeUInt8(flags | PRESENT | (given.isVerified === false ? 0 : VERIFIED))
  rest.writeUInt32BE(counter, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), rest])
}

/** ES256 in COSE (RFC 9053): kty 2, alg -7, crv 1, x, y. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return cborMap([
    [Buffer.from([0x01]), Buffer.from([0x02])],
    [Buffer.from([0x03]), Buffer.from([0x26])],
    [Buffer.from([0x20]), Buffer.from([0x01])],
    [Buffer.from([0x21]), cborBytes(Buffer.from(x, 'base64url'))],
    [Buffer.from([0x22]), cborBytes(Buffer.from(y, 'base64url'))],
  ])
}

const cborMap = (entries: [Buffer, Buffer][]) =>
  Buffer.concat([Buffer.from([0xa0 | entries.length]), ...entries.flat()])

const cborText = (text: string) =>
  Buffer.concat([Buffer.from([0x60 | text.length]), Buffer.from(text)])

/** The shortest form of a length: readers measure a key by encoding it again. */
function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x58, bytes.length]), bytes])
}
