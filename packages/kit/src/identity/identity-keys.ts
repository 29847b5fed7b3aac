import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { type ServiceName, serviceNames } from '@parley/contracts'
import { z } from 'zod'
import { newIdentityKey, publicKeySet } from './identity-key-pair.ts'

/** The variables by which a service has its own private key and the public keys of all services. */
export const identityVariables = {
  /** PKCS #8 as PEM; no other service has it. */
  IDENTITY_PRIVATE_KEY: keyText(readPrivateKey, 'must be a private key on P-256, PKCS #8 as PEM'),
  /**
   * A JSON Web Key Set, no secret and the same for all: the id of each key is the name of its service. A service may have several, any of which it may
   * sign with: a next one while its key is rotated.
   */
  IDENTITY_PUBLIC_KEYS: keyText(readPublicKeys, 'must be a JSON Web Key Set with the P-256 key of every service'),
}
export type IdentityKeys = z.output<z.ZodObject<typeof identityVariables>>
/** Their texts, for each service. */
export type IdentityVariables = Readonly<Record<ServiceName, Record<keyof typeof identityVariables, string>>>

/** New keys for all services. */
export function newIdentityVariables(): IdentityVariables {
  const own = Object.fromEntries(serviceNames.map((name) => [name, newIdentityKey()]))
  const IDENTITY_PUBLIC_KEYS = publicKeySet(own)
  const entries = Object.entries(own).map(([name, IDENTITY_PRIVATE_KEY]) => [
    name,
    { IDENTITY_PRIVATE_KEY, IDENTITY_PUBLIC_KEYS },
  ])
  return Object.fromEntries(entries) as IdentityVariables
}

function keyText<T>(read: (text: string) => T, fault: string) {
  return z.string().transform((text, { addIssue }): T => {
    try {
      return read(text)
    } catch {
      // Every malformation is the same fault, and the value that was read is not shown.
      addIssue({ code: 'custom', message: fault, input: undefined })
      return z.NEVER
    }
  })
}

function readPrivateKey(pem: string): KeyObject {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('another kind of key')
  return key
}

const keySetSchema = z.object({ keys: z.array(z.looseObject({ kid: z.string(), crv: z.literal('P-256') })) })

function readPublicKeys(text: string): ReadonlyMap<string, readonly KeyObject[]> {
  const { keys } = keySetSchema.parse(JSON.parse(text))
  const read = keys.map((jwk) => ({ of: jwk.kid, key: createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }) }))
  const found = new Map([...Map.groupBy(read, ({ of }) => of)].map(([of, own]) => [of, own.map(({ key }) => key)]))
  if (serviceNames.some((name) => !found.has(name))) throw new Error('a key is missing')
  return found
}
