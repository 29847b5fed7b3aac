import { isIP, connect as openTcp, type Socket } from 'node:net'
import { connect as openTls } from 'node:tls'
import type { Logger } from '@parley/kit'
import { type ISocketFactory, Kafka, type LogEntry, logLevel, type SASLOptions } from 'kafkajs'
import { calmRequestQueues } from './request-queue.ts'

export interface BrokerAddress {
  readonly host: string
  readonly port: number
}

export interface KafkaConnection {
  /** `host:port` of some brokers; they name the others. */
  readonly brokers: readonly string[]
  /** Named in the brokers' logs and quotas. */
  readonly clientId: string
  readonly log: Logger
  /** By SASL PLAIN unless it says otherwise, which shows the password to anybody who can listen: use it with `tls` only. */
  readonly sasl?: {
    readonly mechanism?: 'plain' | 'scram-sha-256' | 'scram-sha-512'
    readonly username: string
    readonly password: string
  }
  readonly tls?: boolean
  /** The address to connect to instead of the one that a broker advertises, for brokers behind a forwarded port. */
  readonly reach?: (address: BrokerAddress) => BrokerAddress
}

/** Few and quick, for what has a caller who tries again; also when the library thinks that it is being tested. */
export const retry = { retries: 4, initialRetryTime: 100, maxRetryTime: 1_000, multiplier: 2, factor: 0.2 }
/** Notices a broker that vanished without a word, in ms. */
const keepAliveMs = 5_000

/**
 * Makes producers, consumers and administrators. Does not connect yet.
 * Each gets a `Kafka` of its own: those of one share the committed offsets that they know, and so disturb each other.
 * @param requestTimeout ms until an unanswered request has failed
 */
export function createKafka(connection: KafkaConnection, requestTimeout: number): Kafka {
  calmRequestQueues()
  const { log, sasl } = connection
  return new Kafka({
    brokers: [...connection.brokers],
    clientId: connection.clientId,
    ...(connection.tls === true ? { ssl: true } : {}),
    ...(sasl === undefined ? {} : { sasl: saslOf(sasl) }),
    connectionTimeout: 2_000,
    authenticationTimeout: 4_000,
    requestTimeout,
    retry,
    socketFactory: socketFactory(connection.reach ?? ((address) => address)),
    // The library logs normal restarts of a broker as errors; what matters reaches the log as the outcome of our own calls.
    logLevel: log.isLevelEnabled('debug') ? logLevel.INFO : logLevel.NOTHING,
    logCreator:
      () =>
      ({ namespace, log: { message, timestamp: _time, logger: _logger, stack: _stack, ...fields } }: LogEntry) =>
        log.debug({ kafka: namespace, ...fields }, message),
  })
}

/** The library's types know each mechanism by itself. */
const saslOf = ({ mechanism = 'plain', ...user }: NonNullable<KafkaConnection['sasl']>): SASLOptions =>
  ({ mechanism, ...user }) as SASLOptions

const socketFactory =
  (reach: (address: BrokerAddress) => BrokerAddress): ISocketFactory =>
  ({ host, port, ssl, onConnect }) => {
    const at = reach({ host, port })
    const socket: Socket = ssl
      ? openTls({ ...at, ...(isIP(host) === 0 ? { servername: host } : {}), ...ssl }, onConnect)
      : openTcp(at, onConnect)
    return socket.setNoDelay(true).setKeepAlive(true, keepAliveMs)
  }
