import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import { isPrivateAddress, isPrivateName, type Logger } from '@parley/kit'
import { clientAddress, isForwardedByStranger } from './network.ts'

/** What is known of one call. */
export interface Call {
  /** Of the caller, as limits see it. */
  readonly address: string
  /** The program that calls. */
  readonly agent: string
  /** The call came with an X-Forwarded-For of a proxy that is not trusted. */
  readonly isForwarded: boolean
}

/** Finds out whether callers can be told apart by their addresses. */
export interface CallerWatch {
  /** Takes note of a call. @returns what is wrong and what to do, once, when callers turn out to look alike */
  note(call: Call): string | undefined
  /** True once no further call can tell anything. */
  isOver(): boolean
}

/** So many different programs at one address are different people behind something that hides them. */
const manyAgents = 3

/**
 * Watches the first calls, until one comes from the public internet or two come from different addresses. Where people reach Parley at an
 * address inside, such as on one machine, one address is no wonder and nothing is watched.
 */
export function createCallerWatch(publicUrl: string): CallerWatch {
  const agents = new Set<string>()
  let only: string | undefined
  let isOver = isInside(new URL(publicUrl).hostname)
  return {
    isOver: () => isOver,
    note({ address, agent, isForwarded }) {
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

/** A host that only this machine or its network knows; names of one word are among them. */
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

/** Takes note of requests, and logs what the watch finds. */
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
