import { createPublicKey, type KeyObject } from 'node:crypto'
import { accessToken, type Principal, principalSchema, type ServiceName } from '@parley/contracts'
import jwt from 'jsonwebtoken'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { ConfigError } from '../service/config.ts'
import { type IdentityKeys, identityVariables, newIdentityVariables } from './identity-keys.ts'

/** The header that a statement of identity travels in. */
export const identityHeader = 'x-identity'
const algorithm = 'ES256'
const lifetimeSeconds = 60
/** How long a statement is reused, and how long it is valid after that. */
const reusedMs = 30_000
/** Between the clocks of two machines. */
const leewaySeconds = 5
/** How long the address of a replica is believed: longer than a socket may live, which ends with its access token. */
const addressSeconds = 4 * accessToken.lifetimeSeconds
/** Most statements that are remembered, of those signed here and of those checked here. */
const maxRemembered = 5_000

export type IdentityCodec = ReturnType<typeof createIdentityCodec>

interface Signed {
  readonly statement: string
  /** Milliseconds since 1970. */
  readonly reusedUntil: number
}
const isReusable = ({ reusedUntil }: Signed): boolean => reusedUntil > Date.now()

interface Checked {
  readonly principal: Principal
  /** Milliseconds since 1970. */
  readonly goodUntil: number
}

/**
 * Signs and reads the statements of identity that travel from the gateway to the services and between them. @param self whose private key it is
 * @throws ConfigError when it is another's
 */
export function createIdentityCodec(
  self: ServiceName,
  { IDENTITY_PRIVATE_KEY: privateKey, IDENTITY_PUBLIC_KEYS: publicKeys }: IdentityKeys,
) {
  const own = createPublicKey(privateKey)
  if (!publicKeys.get(self)?.some((key) => key.equals(own)))
    throw new ConfigError(`IDENTITY_PRIVATE_KEY: must be that of ${self} in IDENTITY_PUBLIC_KEYS`)
  const signed = new LRUCache<string, Signed>({ max: maxRemembered })
  /** Of the very same object, which need not be written out to be found. */
  const signedAsIs = new WeakMap<Principal, Signed>()
  const checked = new LRUCache<string, Checked>({ max: maxRemembered })
  const signAnew = (principal: Principal): Signed => {
    const statement = jwt.sign(principal, privateKey, { algorithm, issuer: self, expiresIn: lifetimeSeconds })
    return { statement, reusedUntil: Date.now() + reusedMs }
  }
  return {
    /** A header value, good for 30 s at least; one principal has the same one within 30 s. */
    sign(principal: Principal): string {
      const same = signedAsIs.get(principal)
      if (same !== undefined && isReusable(same)) return same.statement
      const key = JSON.stringify(principal)
      const equal = signed.get(key)
      const usable = equal !== undefined && isReusable(equal) ? equal : signAnew(principal)
      signed.set(key, usable)
      signedAsIs.set(principal, usable)
      return usable.statement
    },
    /** Undefined when it is missing, forged, expired, malformed, or not for its issuer to state. */
    verify(header: string | undefined): Principal | undefined {
      if (header === undefined) return undefined
      const known = checked.get(header) ?? check(publicKeys, header)
      if (known === undefined || known.goodUntil <= Date.now()) return undefined
      checked.set(header, known)
      return known.principal
    },
    /** The address of this service's own replica, to be given to strangers who bring it back: safe in URLs, good for an hour. */
    signAddress: (address: string) =>
      jwt.sign({ address }, privateKey, { algorithm, issuer: self, expiresIn: addressSeconds }),
    /** Undefined when no replica of the service signed it, or too long ago. */
    verifyAddress(service: ServiceName, signed: string): string | undefined {
      for (const key of publicKeys.get(service) ?? []) {
        const parsed = addressSchema.safeParse(claimsOf(key, signed))
        if (parsed.success) return parsed.data.address
      }
      return undefined
    },
  }
}

/** No principal has an address, so neither statement can be taken for the other. */
const addressSchema = z.object({ address: z.string() })

/** The signers of services that share a process, with new keys by default. */
export function createIdentities(variables = newIdentityVariables()): (service: ServiceName) => IdentityCodec {
  const schema = z.object(identityVariables)
  return (service) => createIdentityCodec(service, schema.parse(variables[service]))
}

function check(publicKeys: IdentityKeys['IDENTITY_PUBLIC_KEYS'], header: string): Checked | undefined {
  const issuer = issuerOf(header)
  for (const key of publicKeys.get(issuer) ?? []) {
    const found = checkBy(key, issuer, header)
    if (found !== undefined) return found
  }
  return undefined
}

function issuerOf(header: string): string {
  try {
    return jwt.decode(header, { json: true })?.iss ?? ''
  } catch {
    // Not a token at all.
    return ''
  }
}

function checkBy(key: KeyObject, issuer: string, header: string): Checked | undefined {
  const claims = claimsOf(key, header)
  const parsed = principalSchema.safeParse(claims)
  if (!parsed.success || !mayState(issuer, parsed.data)) return undefined
  return { principal: parsed.data, goodUntil: ((claims?.exp ?? 0) + leewaySeconds) * 1_000 }
}

function claimsOf(key: KeyObject, signed: string): jwt.JwtPayload | undefined {
  try {
    const claims = jwt.verify(signed, key, { algorithms: [algorithm], clockTolerance: leewaySeconds })
    return typeof claims === 'string' ? undefined : claims
  } catch {
    // Every way of being wrong is the same refusal.
    return undefined
  }
}

/** The gateway alone says who calls from outside; every service speaks for itself. */
const mayState = (issuer: string, principal: Principal): boolean =>
  principal.kind === 'service' ? principal.service === issuer : issuer === 'gateway'
