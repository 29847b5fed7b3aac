import type { RequestListener } from 'node:http'
import { type Certificate, certificateRouteOf, type ServiceName } from '@parley/contracts'
import { createFreshValue } from '../async/fresh.ts'
import { createInternalApp, type InternalAppDeps } from '../http/http-app.ts'
import { mount } from '../http/mount.ts'
import { readCertificate } from './read-certificate.ts'
import type { TlsServer } from './tls-servers.ts'

/** The dependencies of looking at certificates. */
export interface CertificateDeps extends InternalAppDeps {
  readonly service: ServiceName
  readonly servers: readonly TlsServer[]
}

/** Looks within this time share one handshake per server. Milliseconds. */
const freshMs = 600_000

/** Serves `/internal/certificates` in front of a service, whose own handler gets all else. Nothing is looked at unless an admin asks. */
export function withCertificates(
  { service, servers, ...deps }: CertificateDeps,
  own: RequestListener,
): RequestListener {
  const route = certificateRouteOf(service)
  const fresh = createFreshValue<Certificate[]>({ maxAgeMs: freshMs })
  const app = createInternalApp(deps, (router) => {
    mount(router, route, async () => ({ body: { certificates: await fresh.get(() => readAll(servers)) } }))
  })
  return (request, response) => (request.url === route.path ? app : own)(request, response)
}

/** Of a server that does not answer or offers no TLS nothing is known; whoever needs it says so. */
const readAll = async (servers: readonly TlsServer[]): Promise<Certificate[]> =>
  (await Promise.allSettled(servers.map(readCertificate))).flatMap((read) =>
    read.status === 'fulfilled' ? [read.value] : [],
  )
