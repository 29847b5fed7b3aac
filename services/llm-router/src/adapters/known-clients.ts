import { LRUCache } from 'lru-cache'
import type { Target } from './adapter.ts'

/** Maximum number of clients kept per `fetch`: more than providers have accounts, unless admins registered many endpoints. */
const mostClients = 100

/** The address and credentials of a client. A model's own headers belong to each request, since models share clients. */
export type ClientTarget = Pick<Target, 'baseUrl' | 'apiKey' | 'fetch'>

/**
 * Reuses an SDK's client for an address and key, because making one for each call costs much CPU time. The least recently used clients are
 * forgotten, and all of them with the `fetch` that they use.
 */
export function knownClients<Sdk, Client extends object>(
  create: (sdk: Sdk, target: ClientTarget) => Client,
): (sdk: Sdk, target: ClientTarget) => Client {
  const byFetch = new WeakMap<Target['fetch'], LRUCache<string, Client>>()
  return (sdk, { baseUrl, apiKey, fetch }) => {
    const clients = byFetch.get(fetch) ?? new LRUCache<string, Client>({ max: mostClients })
    byFetch.set(fetch, clients)
    const id = JSON.stringify([baseUrl, apiKey])
    const client = clients.get(id) ?? create(sdk, { baseUrl, apiKey, fetch })
    clients.set(id, client)
    return client
  }
}
