import { BlockList, isIP } from 'node:net'
import { extraOrigins, serviceUrl } from '@parley/kit'
import { z } from 'zod'

/** Networks as CIDR with commas between. */
const trustedProxies = z
  .string()
  .default('')
  .refine(areNetworks, 'must be networks, such as 10.0.0.0/8, with commas between')

/** The gateway's own variables. */
export const gatewayVariables = {
  /** Nothing is relayed to it: without the address it is only shown as unreachable. */
  NOTIFIER_URL: serviceUrl.optional(),
  /** Origin under which people reach Parley. */
  PUBLIC_URL: serviceUrl,
  /** Further ones, with commas between: requests to other hosts, and pages of other origins, are refused. */
  EXTRA_ORIGINS: extraOrigins,
  /** Networks whose X-Forwarded-For is believed, as CIDR with commas between. */
  TRUSTED_PROXIES: trustedProxies,
  /** Prometheus metrics are served on this port and no other; off without it. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  /** Folder of the built SPA; without it only `/api` is served. */
  WEB_DIR: z.string().optional(),
}

function areNetworks(text: string): boolean {
  try {
    parseTrustedProxies(text)
    return true
  } catch {
    // Refused together with all other faults, before anything starts.
    return false
  }
}

/** Networks whose word about the caller's address is taken. @throws Error on a text that is not CIDR or an address */
export function parseTrustedProxies(text: string): BlockList {
  const trusted = new BlockList()
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry !== '') addNetwork(trusted, entry)
  }
  return trusted
}

function addNetwork(list: BlockList, entry: string): void {
  const [address = '', bits] = entry.split('/')
  const family = isIP(address)
  const most = family === 4 ? 32 : 128
  const prefix = bits === undefined ? most : Number(bits)
  if (family === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > most || entry.split('/').length > 2) {
    throw new Error(`TRUSTED_PROXIES: ${entry} is not a network`)
  }
  list.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6')
}
