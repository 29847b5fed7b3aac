import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import { isPrivateAddress, isPrivateName, type Logger } from '@parley/kit'
import { clientAddress, isForwardedByStranger } from './network.ts'

/** The facts about one call. */
export interface Call {
  /** The caller's address, as rate limits see it. */
  readonly address: string
  /** The calling program. */
  readonly agent: string
  /** The call has an X-Forwarded-For from an untrusted proxy. */
  readonly isForwarded: boolean
}

/** This many different programs at one address are different people behind a proxy or NAT. */
const manyAgents = 3

/**
 * Detects that callers cannot be told apart by their addresses: watches calls until one comes from the public internet or two come from different
 * addresses. If the public URL is a private address, such as on one machine, a shared address is normal and nothing is watched.
 */
export function createCallerWatch(publicUrl: string) {
  const agents = new Set<string>()
  let only: string | undefined
  let isOver = isInside(new URL(publicUrl).hostname)
  return {
    /** True once further calls make no difference. */
    isOver: (): boolean => isOver,
    /** Records a call. @returns a warning with its remedy, once, when callers turn out to share an address */
    note({ address, agent, isForwarded }: Call): string | undefined {
      if (isOver) return undefined
      only ??= address
      isOver = !isPrivateAddress(address) || address !== only
      if (isOver) return undefined
      agents.add(agent)
      isOver = agents.size === manyAgents
      return isOver ? adviceOn(address, isForwarded) : undefined
    },
  }
}

/** A host known only to this machine or its network, including single-label names. */
function isInside(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  const isAddress = /^[\d.]+$|:/.test(bare)
  return isAddress ? isPrivateAddress(bare) : isPrivateName(bare) || !bare.includes('.')
}

const adviceOn = (address: string, isForwarded: boolean): string =>
  `All callers so far have the address ${address}, so they share one limit of requests and one guest allowance: ` +
  (isForwarded
    ? `a proxy there names them in X-Forwarded-For and is not believed. Set TRUSTED_PROXIES to its network, such as TRUSTED_PROXIES=${address}`
    : "Docker's userland proxy, rootless Docker or another proxy hides who calls. " +
      'Have it keep their addresses or put a proxy in front that names them (deploy/README.md, "Callers that look alike")')

/** Records requests, and logs the watch's warnings. */
export function watchCallers(deps: {
  readonly publicUrl: string
  readonly trustedProxies: BlockList
  readonly log: Logger
}): (request: IncomingMessage) => void {
  const watch = createCallerWatch(deps.publicUrl)
  return (request) => {
    if (watch.isOver()) return
    const found = watch.note({
      address: clientAddress(request, deps.trustedProxies),
      agent: request.headers['user-agent'] ?? '',
      isForwarded: isForwardedByStranger(request, deps.trustedProxies),
    })
    if (found !== undefined) deps.log.warn(found)
  }
}
