import { serviceNames } from '@parley/contracts'
import { createIdentities, type IdentityCodec, newIdentityVariables } from '@parley/kit'

/**
 * A codec with the keys of all services: it signs each principal as the service that may state it, so that a test can be anyone, and addresses as
 * realtime, whose replicas alone have their callers bring them back.
 * @param variables of services in other processes; new keys by default
 */
export function testIdentity(variables = newIdentityVariables()): IdentityCodec {
  const codecs = new Map(serviceNames.map((name) => [name, createIdentities(variables)(name)]))
  const of = (name: (typeof serviceNames)[number]): IdentityCodec => codecs.get(name) as IdentityCodec
  return {
    sign: (principal) => of(principal.kind === 'service' ? principal.service : 'gateway').sign(principal),
    verify: (header) => of('gateway').verify(header),
    signAddress: (address) => of('realtime').signAddress(address),
    verifyAddress: (service, signed) => of('gateway').verifyAddress(service, signed),
  }
}
