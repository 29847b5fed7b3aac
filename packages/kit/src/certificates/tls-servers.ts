/** What is said in clear before TLS begins: PostgreSQL asks for it with a packet, SMTP with STARTTLS. */
export type StartTls = 'postgres' | 'smtp'

export interface TlsServer {
  readonly host: string
  readonly port: number
  /** TLS begins at once without it. */
  readonly startTls?: StartTls
}

/** The values of variables by name, as far as a process has them. */
type Variables = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The engines in a cluster that a service reaches over TLS. Those of a `mongodb+srv` are left out: their provider renews their certificates. */
export function engineServersOf(variables: Variables): readonly TlsServer[] {
  const { POSTGRES_URL, MONGO_URL, REDIS_URL, KAFKA_BROKERS, KAFKA_TLS } = variables
  const brokers = KAFKA_TLS === true && Array.isArray(KAFKA_BROKERS) ? (KAFKA_BROKERS as readonly string[]) : []
  return [
    ...postgresServers(textOf(POSTGRES_URL)),
    ...mongoServers(textOf(MONGO_URL)),
    ...serversOfUrl(textOf(REDIS_URL)),
    ...brokers.map((broker) => addressed(broker, 9_092)),
  ]
}

const postgresTls = new Set(['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'])

function postgresServers(text: string): readonly TlsServer[] {
  const url = URL.parse(text)
  if (url === null || url.hostname === '') return []
  const { searchParams: options } = url
  if (options.get('ssl') !== 'true' && !postgresTls.has(options.get('sslmode') ?? '')) return []
  return [{ ...addressed(url.host, 5_432), startTls: 'postgres' }]
}

function mongoServers(text: string): readonly TlsServer[] {
  const [, hosts = '', options = ''] = /^mongodb:\/\/(?:[^@/]*@)?([^/]+)\/[^?]*\??(.*)$/.exec(text) ?? []
  if (!/(?:^|&)(?:tls|ssl)=true(?:&|$)/i.test(options)) return []
  return hosts.split(',').map((host) => addressed(host, 27_017))
}

const ports = { 'https:': 443, 'rediss:': 6_379, 'smtps:': 465, 'smtp:': 587 } as const

/** The server of a URL whose protocol uses TLS, or may do so by STARTTLS; none for others. */
export function serversOfUrl(text: string): readonly TlsServer[] {
  const url = URL.parse(text)
  if (url === null || !Object.hasOwn(ports, url.protocol)) return []
  if (url.searchParams.get('ignoreTLS') === 'true') return []
  const server = addressed(url.host, ports[url.protocol as keyof typeof ports])
  return [url.protocol === 'smtp:' ? { ...server, startTls: 'smtp' } : server]
}

/** @param address a host, with its port unless it is the usual one; an IPv6 address is in brackets */
function addressed(address: string, usualPort: number): TlsServer {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(address) ?? []
  return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? usualPort : Number(port) }
}
