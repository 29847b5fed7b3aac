import type { EventOf } from '@parley/contracts'

/** A request that may come again. */
export interface RepeatableRequest {
  readonly keyId: string
  readonly userId: string
  readonly idempotencyKey: string
  /** SHA-256 of what is asked. */
  readonly bodyHash: Buffer
  /** Of the call that wants to answer it. */
  readonly generationId: string
}

/** A complete answer of status 200. */
export interface KeptAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A call that makes the answer now. */
export interface RunningCall {
  /** Undefined for one that has just given up. */
  readonly running: string | undefined
}

/** Whose the answer is: the caller's to make, somebody's who makes it now, another request's, or there already. */
export type Claim = 'own' | RunningCall | 'other-body' | KeptAnswer

/** What became of requests of programs. */
export interface RequestStore {
  /** Writes that requests ended, all or none. */
  recordFinished(events: readonly EventOf<'llm-router.request-finished'>[]): Promise<void>
  /** Takes the key of a request for a minute; of all that claim it at once one gets it. A key is free a day after it was first used, and when its owner died. */
  claim(request: RepeatableRequest): Promise<Claim>
  /** Holds a claim for a minute more. */
  extend(request: RepeatableRequest): Promise<void>
  /** Keeps the answer of one's own claim. */
  keep(request: RepeatableRequest, answer: KeptAnswer): Promise<void>
  /** Gives one's own claim up: the key is free again. */
  release(request: RepeatableRequest): Promise<void>
  /** Forgets answers that are older than a day. */
  sweep(): Promise<void>
}
