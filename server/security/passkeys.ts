import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'

import type { Passkeys, PasskeyTransport, TakeChallenge } from '#server/ports/security.ts'

/** How long a browser waits for its user; the challenge is valid equally long. */
const TIMEOUT_MS = 5 * 60_000

/** Ed25519, ECDSA with P-256, RSA with SHA-256: what authenticators support, the best one first. */
const ALGORITHMS = [-8, -7, -257]

const transports: readonly PasskeyTransport[] = [
  'ble',
  'cable',
  'hybrid',
  'internal',
  'nfc',
  'smart-card',
  'usb',
]

/**
 * WebAuthn Level 3 passkeys for the host of `publicUrl`. The authenticator always verifies its
 * user, so a passkey counts as two factors; its kind does not matter.
 */
export function createPasskeys(publicUrl: string, projectName: string): Passkeys {
  const { origin, hostname: rpId } = new URL(publicUrl)
  const expected: Expected = {
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }
  return {
    creation: ({ challenge, operator, known }) => ({
      rp: { id: rpId, name: projectName },
      user: {
        id: Buffer.from(operator.id).toString('base64url'),
        name: operator.email,
        displayName: operator.name,
      },
      challenge,
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      timeout: TIMEOUT_MS,
      attestation: 'none',
      excludeCredentials: known.map((each) => ({
        id: each.credentialId,
        type: 'public-key',
        transports: [...each.transports],
      })),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
    }),
    request: (challenge) => ({
      challenge,
      rpId,
      timeout: TIMEOUT_MS,
      userVerification: 'required',
    }),
    verifyNew: (answer, take) => verifyNew(expected, answer, take),
    verifyUsed: (proof, passkey, take) => verifyUsed(expected, proof, passkey, take),
  }
}

type Expected = {
  expectedOrigin: string
  expectedRPID: string
  requireUserVerification: boolean
}

async function verifyNew(
  expected: Expected,
  { id, rawId, type, response }: Parameters<Passkeys['verifyNew']>[0],
  take: TakeChallenge,
): ReturnType<Passkeys['verifyNew']> {
  const { clientDataJSON, attestationObject } = response
  const verified = await verify(take, (taking) =>
    verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: taking,
      supportedAlgorithmIDs: ALGORITHMS,
      ...expected,
    }),
  )
  if (verified === null || !verified.verified) return null
  const { credential, credentialBackedUp: isBackedUp } = verified.registrationInfo
  return {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: BigInt(credential.counter),
    transports: transports.filter((each) => response.transports?.includes(each)),
    isBackedUp,
  }
}

async function verifyUsed(
  expected: Expected,
  { id, rawId, type, response }: Parameters<Passkeys['verifyUsed']>[0],
  passkey: Parameters<Passkeys['verifyUsed']>[1],
  take: TakeChallenge,
): ReturnType<Passkeys['verifyUsed']> {
  const { userHandle, ...signed } = response
  const verified = await verify(take, (taking) =>
    verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { ...signed, ...(userHandle !== undefined && { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge: taking,
      // Compared by the caller: the library would do so before it has checked the signature.
      credential: { id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
      ...expected,
    }),
  )
  if (verified === null || !verified.verified) return null
  const { newCounter, credentialBackedUp: isBackedUp } = verified.authenticationInfo
  return { counter: BigInt(newCounter), isBackedUp }
}

/**
 * Null if the library throws, which it does for anything wrong in a stranger's input. An error from
 * the database meanwhile is not the stranger's fault, and is passed on.
 */
async function verify<Result>(
  take: TakeChallenge,
  byLibrary: (take: TakeChallenge) => Promise<Result>,
): Promise<Result | null> {
  const faults: unknown[] = []
  const takeOrNote: TakeChallenge = async (challenge) => {
    try {
      return await take(challenge)
    } catch (fault) {
      faults.push(fault)
      return false
    }
  }
  const verified = await byLibrary(takeOrNote).catch(() => null)
  if (faults.length > 0) throw faults[0]
  return verified
}
