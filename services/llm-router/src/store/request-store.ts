import type { EventOf } from '@parley/contracts'

/** A request with an Idempotency-Key. */
export interface RepeatableRequest {
  readonly keyId: string
  readonly userId: string
  readonly idempotencyKey: string
  /** SHA-256 of the body. */
  readonly bodyHash: Buffer
  /** The generation of the call that wants to answer it. */
  readonly generationId: string
}

type Finished = EventOf<'llm-router.request-finished'>

/** A complete answer with status 200. */
export interface WholeAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A call whose answer is stored. */
export interface AnsweredCall {
  /** Its generation. */
  readonly answered: string
}

/** The call that is currently generating the answer. */
export interface RunningCall {
  /** Undefined for one that has just given up. */
  readonly running: string | undefined
}

/** The result of a claim: the caller's own, a running call's, taken by a different body, already answered, or refused since the user was erased. */
export type Claim = 'own' | RunningCall | 'other-body' | AnsweredCall | 'erased'

/** The state of programs' requests. */
export interface RequestStore {
  /** Records that requests ended, all or none. */
  recordFinished(events: readonly Finished[]): Promise<void>
  /** Claims the key of a request for a minute; of concurrent callers exactly one succeeds. A key is free a day after its first use, and when its owner died. */
  claim(request: RepeatableRequest): Promise<Claim>
  /** The stored answer of a generation; undefined once it has expired or was erased. */
  answer(request: RepeatableRequest, generationId: string): Promise<WholeAnswer | undefined>
  /** Whether this generation's claim of the key is still running: neither answered nor released, and its lease is not over. */
  isRunning(request: RepeatableRequest, generationId: string): Promise<boolean>
  /** Extends a claim by a minute. */
  extend(request: RepeatableRequest): Promise<void>
  /** Stores the answer of the caller's own claim, and records that the request ended, both or neither. */
  keep(request: RepeatableRequest, answer: WholeAnswer, event: Finished): Promise<void>
  /** Releases the caller's own claim: the key is free again. */
  release(request: RepeatableRequest): Promise<void>
  /** Deletes answers older than a day. */
  sweep(): Promise<void>
}
