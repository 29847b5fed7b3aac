import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../errors/app-error.ts'

export type OwnAddresses = ReturnType<typeof createOwnAddresses>
type Headers = Pick<IncomingHttpHeaders, 'host' | 'origin'>

/** The names of one's own machine are the same place. */
export const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * Under which addresses people reach the product. A request that names another one is a foreign page's: a name can be made to lead anywhere.
 * @param extraOrigins further ones than `publicUrl`
 */
export function createOwnAddresses(publicUrl: string, extraOrigins: readonly string[] = []) {
  const { origin, hostname } = new URL(publicUrl)
  const isLocal = loopbackNames.includes(hostname)
  const twins = isLocal ? loopbackNames.map((name) => origin.replace(hostname, name)) : [origin]
  const origins = new Set([...twins, ...extraOrigins])
  const names = new Set([...origins].map((own) => new URL(own).hostname))
  const hint = `Open ${origin}, or name this address in EXTRA_ORIGINS.`
  /** On a user's own machine a page from the requested port is the product's own, even if that port has another number outside. */
  const isOwnPort = (page: string, host = ''): boolean => {
    const url = URL.parse(page)
    return isLocal && url !== null && loopbackNames.includes(url.hostname) && url.host === host.toLowerCase()
  }
  return {
    /** Origins whose pages may call; they are the only ones that may read answers. */
    origins,
    /** @throws AppError misdirected_request for a Host that is none of the product's names; ports are mapped, so they do not count */
    refuseForeignHost({ host }: Headers): void {
      const name = nameIn(host)
      if (name === undefined || !names.has(name))
        throw new AppError('misdirected_request', `Parley isn’t served at this address. ${hint}`)
    },
    /** @throws AppError forbidden for an Origin that is not the product's own; a request of a program has none */
    refuseForeignOrigin({ origin: page, host }: Headers): void {
      if (page !== undefined && !origins.has(page) && !isOwnPort(page, host))
        throw new AppError('forbidden', `This request came from another site. ${hint}`)
    },
  }
}

/** The name in a Host header, without its port; undefined when it is none. */
function nameIn(host = ''): string | undefined {
  if (!/^(\[[\da-f:.]+\]|[^\s/?#@\\:]+)(:\d*)?$/i.test(host)) return undefined
  return URL.parse(`http://${host}`)?.hostname
}

/** Whether a text is a list of origins separated by commas. */
export const areOrigins = (text: string): boolean => parseOrigins(text).every((origin) => origin !== '')

/** The origins in a text, separated by commas; an empty one stands for text that is no origin. */
export function parseOrigins(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '').map(originOf)
}

function originOf(text: string): string {
  const url = URL.parse(text)
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  return isOrigin ? url.origin : ''
}
