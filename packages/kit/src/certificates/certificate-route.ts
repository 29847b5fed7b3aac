import { type Certificate, certificateRouteOf, type ServiceName } from '@parley/contracts'
import type { IRouter } from 'express'
import { createFreshValue } from '../async/fresh.ts'
import { mount } from '../http/mount.ts'
import { readCertificate } from './read-certificate.ts'
import type { TlsServer } from './tls-servers.ts'

/** Looks within this time share one handshake per server. Milliseconds. */
const freshMs = 600_000

/** The service's route for the certificates of these servers. Nothing is looked at unless an admin asks. */
export function addCertificateRoute(router: IRouter, service: ServiceName, servers: readonly TlsServer[]): void {
  const fresh = createFreshValue<Certificate[]>({ maxAgeMs: freshMs })
  mount(router, certificateRouteOf(service), async () => ({
    body: { certificates: await fresh.get(() => readAll(servers)) },
  }))
}

/** Of a server that does not answer or offers no TLS nothing is known; whoever needs it says so. */
const readAll = async (servers: readonly TlsServer[]): Promise<Certificate[]> =>
  (await Promise.allSettled(servers.map(readCertificate))).flatMap((read) =>
    read.status === 'fulfilled' ? [read.value] : [],
  )
