import { BlockList, isIP } from 'node:net'
import { extraOrigins, serviceUrl } from '@parley/kit'
import { z } from 'zod'

/** Networks in CIDR notation, separated by commas. */
const trustedProxies = z
  .string()
  .default('')
  .refine(areNetworks, 'must be networks, such as 10.0.0.0/8, with commas between')

/** The gateway's own variables. */
export const gatewayVariables = {
  /** Used for health checks only; without it the notifier is shown as unreachable. */
  NOTIFIER_URL: serviceUrl.optional(),
  /** Public origin of Parley. */
  PUBLIC_URL: serviceUrl,
  /** Additional origins, separated by commas; requests to other hosts and from pages of other origins are refused. */
  EXTRA_ORIGINS: extraOrigins,
  /** Networks whose X-Forwarded-For is trusted, in CIDR notation, separated by commas. */
  TRUSTED_PROXIES: trustedProxies,
  /** Serves Prometheus metrics on this port only; off without it. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  /** Folder of the built SPA; without it only `/api` is served. */
  WEB_DIR: z.string().optional(),
}

function areNetworks(text: string): boolean {
  try {
    parseTrustedProxies(text)
    return true
  } catch {
    // Reported together with all other faults before anything starts.
    return false
  }
}

/** The trusted networks. @throws Error on an entry that is neither CIDR nor an address */
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
