import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { json } from 'node:stream/consumers'
import { type Readiness, readinessSchema } from '@parley/contracts'

/** An answer that takes longer is none. Milliseconds. */
const timeoutMs = 3_000
/** After so many answers in a row of replicas that answered before, no further one is looked for. */
const enoughRepeats = 2
/** Most answers asked of one address. */
const mostAsked = 32

/**
 * What the replicas of a service say of themselves, each once: those at every address of its host's name, and, as an address may be a balancer's,
 * those that further connections to it lead to.
 * @param url base URL of the service
 * @throws when nobody answers
 */
export async function askReplicas(url: string): Promise<readonly Readiness[]> {
  const answers = await Promise.allSettled((await addressesOf(url)).map(askAddress))
  const found = new Map<string, Readiness>()
  for (const answer of answers) {
    if (answer.status === 'rejected') continue
    for (const readiness of answer.value) found.set(readiness.replica?.id ?? '', readiness)
  }
  if (found.size === 0) throw new Error('No replica answers')
  return [...found.values()]
}

/** The same URL with each address of its host. */
async function addressesOf(url: string): Promise<readonly string[]> {
  const { protocol, hostname } = new URL(url)
  // A certificate is for the name.
  if (protocol === 'https:') return [url]
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true })
  return found.map(({ address, family }) => {
    const one = new URL(url)
    one.hostname = family === 6 ? `[${address}]` : address
    return one.origin
  })
}

async function askAddress(url: string): Promise<readonly Readiness[]> {
  const found = new Map<string, Readiness>()
  let repeats = 0
  for (let asked = 0; asked < mostAsked && repeats < enoughRepeats; asked += 1) {
    const readiness = await ask(url)
    const id = readiness.replica?.id ?? ''
    repeats = found.has(id) ? repeats + 1 : 0
    found.set(id, readiness)
  }
  return [...found.values()]
}

/** Asks over a connection of its own, which a balancer leads to the replica whose turn it is. */
async function ask(url: string): Promise<Readiness> {
  const { get } = url.startsWith('https:') ? https : http
  const asking = get(`${url}/readyz`, { agent: false, signal: AbortSignal.timeout(timeoutMs) })
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  return readinessSchema.parse(await json(response))
}
