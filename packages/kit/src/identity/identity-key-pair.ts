import { createPublicKey, generateKeyPairSync } from 'node:crypto'

/** A new private key on P-256: PKCS #8 as PEM. Stands alone, as the deployment by compose makes its keys by it, too. */
export const newIdentityKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }) as string

/** The JSON Web Key Set of the public halves. @param privateKeys PEM, by the name of its service, which becomes the key's id */
export const publicKeySet = (privateKeys: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    keys: Object.entries(privateKeys).map(([kid, pem]) => ({
      ...createPublicKey(pem).export({ format: 'jwk' }),
      kid,
      use: 'sig',
      alg: 'ES256',
    })),
  })
