import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isPrivateAddress, isPrivateName } from './private-address.ts'

/** Every address of a host name. */
export type ResolveHost = (host: string) => Promise<readonly { address: string; family: number }[]>

/** The system's resolver. */
export const resolveBySystem: ResolveHost = (host) => systemLookup(host, { all: true, verbatim: true })

export type EndpointGuard = ReturnType<typeof createEndpointGuard>

const privateHost = 'The endpoint must not be in a private network'

/** Keeps model endpoints out of private networks. @param allowed host names and addresses in private networks that are fine; lower case */
export function createEndpointGuard(allowed: readonly string[], resolve: ResolveHost) {
  const isAllowed = (host: string): boolean => allowed.includes(bare(host))
  const refusesLiteral = (host: string): boolean =>
    isIP(bare(host)) !== 0 && !isAllowed(host) && isPrivateAddress(bare(host))
  const refusesName = (host: string): boolean => !isAllowed(host) && isPrivateName(host)
  const vetted = async (host: string) => {
    if (refusesName(host)) throw new Error(privateHost)
    const addresses = await resolve(host)
    const refused = !isAllowed(host) && addresses.some(({ address }) => isPrivateAddress(address))
    if (refused || addresses.length === 0) throw new Error(privateHost)
    return addresses
  }
  return {
    /** True when this host, as an address, may not be dialled; names are judged by `lookup`. */
    refusesLiteral,
    /** Why an endpoint may not be registered; undefined when it may. A name that cannot be resolved now may: it is judged again when it is dialled. */
    async fault(endpoint: string): Promise<string | undefined> {
      const url = new URL(endpoint)
      if (url.username !== '' || url.password !== '') return 'The endpoint must not carry credentials'
      if (url.search !== '' || url.hash !== '') return 'The endpoint must not have a query or a fragment'
      if (isAllowed(url.hostname)) return undefined
      if (isIP(bare(url.hostname)) !== 0) return refusesLiteral(url.hostname) ? privateHost : undefined
      if (refusesName(url.hostname)) return privateHost
      // A name that is unknown now is judged when it is dialled.
      const addresses = await resolve(url.hostname).catch(() => [])
      return addresses.some(({ address }) => isPrivateAddress(address)) ? privateHost : undefined
    },
    /** For dialling: returns vetted addresses only, so that a name cannot be re-pointed between check and connection. */
    lookup(...[host, options, callback]: Parameters<LookupFunction>): void {
      vetted(host).then(
        (addresses) => {
          if (options.all) callback(null, [...addresses])
          else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
        },
        (error: NodeJS.ErrnoException) => callback(error, [], 0),
      )
    },
  }
}

/** Without the brackets of an IPv6 address. */
const bare = (host: string): string => host.replace(/^\[|\]$/g, '').toLowerCase()
