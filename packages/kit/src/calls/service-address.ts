export interface ServiceAddress {
  /** Its base URL; that of a service on a socket only fills the Host header. */
  readonly url: string
  /** The Unix socket to connect to, instead of the URL's host. */
  readonly socketPath?: string
}

const scheme = 'unix:'

/** Names a service that listens on a Unix socket: `unix:` and the socket's path. */
export const socketLocation = (socketPath: string): string => `${scheme}${socketPath}`

/** @param location a base URL, or what `socketLocation` gave */
export const readServiceAddress = (location: string): ServiceAddress =>
  location.startsWith(scheme)
    ? { url: 'http://localhost', socketPath: location.slice(scheme.length) }
    : { url: location }

/** A host as URLs have it: an IPv6 address in brackets. */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)
