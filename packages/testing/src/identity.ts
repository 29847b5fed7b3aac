import { serviceNames } from '@parley/contracts'
import { createIdentities, type IdentityCodec, newIdentityVariables } from '@parley/kit'

/**
 * The keys of all services in one: each principal is stated by the service that may state it, so a test speaks as anybody.
 * @param variables of services in other processes; new keys unless told
 */
export function testIdentity(variables = newIdentityVariables()): IdentityCodec {
  const codecs = new Map(serviceNames.map((name) => [name, createIdentities(variables)(name)]))
  const of = (name: (typeof serviceNames)[number]): IdentityCodec => codecs.get(name) as IdentityCodec
  return {
    sign: (principal) => of(principal.kind === 'service' ? principal.service : 'gateway').sign(principal),
    verify: (header) => of('gateway').verify(header),
  }
}
