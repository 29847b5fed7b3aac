import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { chatRoutes } from '@parley/contracts'
import { AppError, unboundedJson } from '@parley/kit'
import type { ThreadMessage } from '../store/entities.ts'
import {
  type ImportAnswer,
  type ImportQuestion,
  maxChats,
  maxMessages,
  type Refusal,
  readImportFile,
} from './import-file.ts'
import type { PlannedChat } from './import-plan.ts'

/** How a file is read. */
interface Reading {
  readonly caps: Readonly<typeof importCaps>
  /** Called with the number of chats in the file, before the first of them. */
  readonly found: (chats: number) => void
}

/** The bounds on reading one file; one thread runs at once, whose memory deploy's limit of the container counts with. */
export const importCaps = {
  /** Milliseconds until its first chat, and from each to the next. */
  timeoutMs: 30_000,
  /** Megabytes of objects that are there for long; 32 more are for young ones. */
  heapMb: 192,
}

/** Bytes of a file that is read in no time; a thread takes longer to begin. */
export const smallImport = 64 * 1024

/**
 * Reads the chats of a file, one of any size in a thread of its own, so that nobody else waits, however much is in it. Undefined stands for a chat in which nobody says
 * anything. The bytes of a large file are used up.
 * @throws AppError validation_failed for a file of an unknown kind, before its first chat, or one with too much in it
 */
export async function* readImport(
  question: ImportQuestion,
  { caps = importCaps, found = () => undefined }: Partial<Reading> = {},
): AsyncGenerator<PlannedChat | undefined> {
  if (question.bytes.byteLength <= smallImport) {
    const parts = readImportFile(question)
    yield* chatsOf(async () => parts.next().value as ImportAnswer, found)
  } else yield* readInThread(question, { caps, found })
}

async function* readInThread(
  question: ImportQuestion,
  { caps, found }: Reading,
): AsyncGenerator<PlannedChat | undefined> {
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: caps.heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    env: {},
    execArgv: [],
  })
  const ended = new AbortController()
  worker.once('error', (fault) => ended.abort(fault)).once('exit', () => ended.abort())
  try {
    const bytes = ownBytes(question.bytes)
    worker.postMessage({ ...question, bytes } satisfies ImportQuestion, [bytes.buffer])
    yield* chatsOf(() => {
      worker.postMessage('next')
      return nextAnswer(worker, ended.signal, caps)
    }, found)
  } finally {
    await worker.terminate()
  }
}

async function* chatsOf(
  next: () => Promise<ImportAnswer>,
  found: Reading['found'],
): AsyncGenerator<PlannedChat | undefined> {
  for (let answer = await next(); answer.kind !== 'end'; answer = await next()) {
    if (answer.kind === 'refused') throw refusals[answer.why]()
    if (answer.kind === 'found') found(answer.chats)
    else if (answer.kind === 'chat') yield { chat: answer.chat, messages: await allMessages(answer, next) }
    else yield undefined
  }
}

async function allMessages(
  { messages, more }: Extract<ImportAnswer, { kind: 'chat' }>,
  next: () => Promise<ImportAnswer>,
): Promise<readonly ThreadMessage[]> {
  const all = [...messages]
  for (let isMore = more; isMore; ) {
    const answer = await next()
    if (answer.kind !== 'messages') break
    all.push(...answer.messages)
    isMore = answer.more
  }
  return all
}

async function nextAnswer(worker: Worker, ended: AbortSignal, { timeoutMs }: Reading['caps']): Promise<ImportAnswer> {
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const [answer] = await once(worker, 'message', { signal: AbortSignal.any([ended, late]) })
    return answer as ImportAnswer
  } catch (error) {
    const fault = (ended.reason ?? error) as { readonly code?: unknown }
    throw late.aborted || fault.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooDear() : fault
  }
}

/** The same bytes, if nothing else is in their memory: that goes to the thread, and copying it would hold everybody up. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes)
}

const refusals: Readonly<Record<Refusal, () => AppError>> = {
  depth: () => unboundedJson('depth', chatRoutes.importChats),
  values: () => unboundedJson('values', chatRoutes.importChats),
  malformed: () => new AppError('validation_failed', 'This file can’t be imported. It’s incomplete or not JSON.'),
  unknown: () =>
    new AppError(
      'validation_failed',
      'This file can’t be imported. It has to be a JSON export from here, ChatGPT or LibreChat.',
    ),
  'too-much': () =>
    new AppError(
      'validation_failed',
      `This file is too large to import: at most ${maxChats} chats and ${maxMessages} messages are allowed.`,
    ),
}

const tooDear = (): AppError =>
  new AppError('validation_failed', 'This file is too complex to read. Please import it in smaller parts.')
