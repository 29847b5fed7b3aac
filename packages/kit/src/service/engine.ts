import type { Event } from '@parley/contracts'
import type { z } from 'zod'
import type { Logger } from '../observability/log.ts'
import { mongoUrl, postgresUrl } from './engine-config.ts'
import type { Subscription } from './subscription.ts'

/** The name of a cluster's engine in readiness, in the networks of a deployment, and in the rights granted on it. */
export type EngineKind = 'postgres' | 'mongo' | 'kafka' | 'redis'

/** Stands in for a cluster's engines, shared by all services of one process. */
export interface EmbeddedEngines<Hub = unknown> {
  readonly postgresUrl: string
  /** Of `@parley/cache`. */
  readonly hub: Hub
}

/** The service that an engine is opened for. */
export interface EngineUser {
  readonly service: string
  readonly log: Logger
}

/** An opened engine, which must be closed. */
export interface Closable {
  close(): unknown
}

/** An engine that a service may name in its definition: how it is opened for it, in a cluster and in one process. */
export interface Engine<T extends Closable = Closable, Variables extends z.ZodRawShape = z.ZodRawShape> {
  readonly kind: EngineKind
  /** What a process in a cluster is told of it. */
  readonly variables: Variables
  /** Opens it in a cluster; it may not be there yet. */
  open(variables: z.output<z.ZodObject<Variables>>, user: EngineUser): Promise<T>
  /** Opens the engine that replaces it in one process. */
  openEmbedded(engines: EmbeddedEngines, user: EngineUser): Promise<T>
  /** In one process it is opened once, for all services. */
  readonly isSharedEmbedded?: boolean
  /** Rejects when it cannot be used now. */
  health(opened: T): Promise<unknown>
}

/** The server's version, and how its schema compares to this version of a service. */
export interface StoreReport {
  /** Its name and version. */
  readonly engine: string
  /** Its clock. */
  readonly now: Date
  /** Migrations of this version that have not run there. */
  readonly due: readonly string[]
  /** Migrations that ran there and that this version does not have. */
  readonly unknown: readonly string[]
}

/** An engine that keeps the state of one service. */
export interface Stores extends Closable {
  /** Brings the schema up to date; safe from several replicas at once. */
  migrate(): Promise<void>
  /** Rejects when the engine cannot be reached. */
  ping(): Promise<void>
  /** Looks without changing anything. Rejects when the engine cannot be reached. */
  inspect(): Promise<StoreReport>
}

/** Where a service stores events that were written together with its state and are not yet published. */
export interface OutboxSource {
  /** The oldest unpublished events, in the order they were written per key. */
  pending(limit: number): Promise<readonly Event[]>
  /** Forgets published events. */
  published(ids: readonly string[]): Promise<void>
  /** Runs `work` while no other replica relays this outbox; resolves to false when another one does. */
  exclusively(work: () => Promise<void>): Promise<boolean>
  /** If the store can notify: calls `wake` when events were written; some calls may be missed or in vain. Returns the function that ends it. */
  onWritten?(wake: () => void): () => void
}

/** The dead letters of an engine that carries events. */
export interface DeadLetterStore extends Closable {
  /** Of these groups, those that gave up events: how many, and the time of the oldest. */
  countDeadLetters(groups: readonly string[]): Promise<readonly DeadLetterCount[]>
  /** Hands every one to its handler again, and removes those that succeed. Resolves to how many did. */
  replayDeadLetters(subscription: Subscription): Promise<number>
  /** Removes those that are there now. Resolves to how many they were. */
  dropDeadLetters(group: string): Promise<number>
}

/** How many events a group gave up; at least one. */
export interface DeadLetterCount {
  readonly group: string
  readonly count: number
  readonly oldestAt: Date
}

export interface BusEngine<T extends DeadLetterStore = DeadLetterStore, Variables extends z.ZodRawShape = z.ZodRawShape>
  extends Engine<T, Variables> {
  /** An operator's `list` or `replay` of what these subscriptions gave up. Resolves to lines to show. @throws Error for any other word */
  deadLetters(opened: T, work: DeadLetters, args: readonly string[]): Promise<readonly string[]>
}

/** The subscriptions whose dead letters are looked after. */
export interface DeadLetters {
  readonly subscriptions: readonly Subscription[]
  readonly log: Logger
}

type OpenStores<S extends Stores> = (options: { readonly url: string; readonly log: Logger }) => Promise<S>

/** The stores of a service in PostgreSQL. @param load opens them; they connect on demand */
export const storesOnPostgres = <S extends Stores>(
  load: OpenStores<S>,
): Engine<S, { POSTGRES_URL: typeof postgresUrl }> => ({
  kind: 'postgres',
  variables: { POSTGRES_URL: postgresUrl },
  open: ({ POSTGRES_URL: url }, { log }) => load({ url, log }),
  openEmbedded: ({ postgresUrl: url }, { log }) => load({ url, log }),
  health: (stores) => stores.ping(),
})

/** The stores of a service in MongoDB, and in one process in PostgreSQL. @param load opens them; they connect in the background */
export const storesOnMongo = <S extends Stores>(
  load: OpenStores<S>,
  loadEmbedded: OpenStores<S>,
): Engine<S, { MONGO_URL: typeof mongoUrl }> => ({
  ...storesOnPostgres(loadEmbedded),
  kind: 'mongo',
  variables: { MONGO_URL: mongoUrl },
  open: ({ MONGO_URL: url }, { log }) => load({ url, log }),
})
