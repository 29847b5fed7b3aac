import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { json } from 'node:stream/consumers'
import { type Readiness, readinessSchema } from '@parley/contracts'
import { readServiceAddress, type ServiceAddress } from '@parley/kit'

/** Timeout of a replica's response in milliseconds. */
const timeoutMs = 3_000
/** Stops searching after this many consecutive responses from known replicas. */
const enoughRepeats = 2
/** Maximum number of requests per address. */
const mostAsked = 32

/**
 * The readiness of each replica of a service: the replicas at every address of its host name and, because an address may be a load balancer's,
 * those reached by further connections to it.
 * @param location of the service, as in `readServiceAddress`
 * @throws when no replica answers
 */
export async function askReplicas(location: string): Promise<readonly Readiness[]> {
  const answers = await Promise.allSettled((await addressesOf(readServiceAddress(location))).map(askAddress))
  const found = new Map<string, Readiness>()
  for (const answer of answers) {
    if (answer.status === 'rejected') continue
    for (const readiness of answer.value) found.set(readiness.replica?.id ?? '', readiness)
  }
  if (found.size === 0) throw new Error('No replica answers')
  return [...found.values()]
}

/** The URL with each address of its host. */
async function addressesOf(service: ServiceAddress): Promise<readonly ServiceAddress[]> {
  const { protocol, hostname } = new URL(service.url)
  // A socket is one replica's; a certificate covers only the name.
  if (service.socketPath !== undefined || protocol === 'https:') return [service]
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true })
  return found.map(({ address, family }) => {
    const one = new URL(service.url)
    one.hostname = family === 6 ? `[${address}]` : address
    return { url: one.origin }
  })
}

async function askAddress(address: ServiceAddress): Promise<readonly Readiness[]> {
  const found = new Map<string, Readiness>()
  let repeats = 0
  for (let asked = 0; asked < mostAsked && repeats < enoughRepeats; asked += 1) {
    const readiness = await ask(address)
    const id = readiness.replica?.id ?? ''
    repeats = found.has(id) ? repeats + 1 : 0
    found.set(id, readiness)
  }
  return [...found.values()]
}

/** Uses a new connection, which a load balancer routes to the next replica. */
async function ask({ url, ...socket }: ServiceAddress): Promise<Readiness> {
  const { get } = url.startsWith('https:') ? https : http
  const asking = get(`${url}/readyz`, { ...socket, agent: false, signal: AbortSignal.timeout(timeoutMs) })
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  return readinessSchema.parse(await json(response))
}
