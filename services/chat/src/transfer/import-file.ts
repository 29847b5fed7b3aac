import { chatRoutes, defaultBodyDepth, defaultBodyValues } from '@parley/contracts'
import { exceededBound, type JsonBounds } from '@parley/kit/json-text'
import type { Chat, ThreadMessage } from '../store/entities.ts'
import { planImport } from './import-plan.ts'
import { asObject, type ReadSource, type SourceChat } from './imported-chat.ts'
import { readChatGpt } from './read-chatgpt.ts'
import { readLibreChat } from './read-librechat.ts'
import { readParley } from './read-parley.ts'

/** A file that is imported, and for whom. */
export interface ImportQuestion {
  readonly bytes: Uint8Array
  readonly ownerId: string
  readonly at: Date
}

/** The events of reading a file, in order: how many chats, a chat in one or several parts, a chat without any message, the end; or why the file is refused. */
export type ImportAnswer =
  | { readonly kind: 'found'; readonly chats: number }
  | { readonly kind: 'chat'; readonly chat: Chat; readonly messages: readonly ThreadMessage[]; readonly more: boolean }
  | { readonly kind: 'messages'; readonly messages: readonly ThreadMessage[]; readonly more: boolean }
  | { readonly kind: 'silent' }
  | { readonly kind: 'end' }
  | { readonly kind: 'refused'; readonly why: Refusal }

/** Why a file is refused as a whole: a bound of its JSON that it exceeds, or its content. */
export type Refusal = keyof JsonBounds | 'malformed' | 'unknown' | 'too-much'

const readers: Readonly<Record<string, ReadSource>> = {
  parley: readParley,
  chatgpt: readChatGpt,
  librechat: readLibreChat,
}

/** More than these are refused. */
export const maxChats = 10_000
/** The same of messages, in all chats together. */
export const maxMessages = 100_000
/** Messages handed over at once, so that taking them blocks nobody for long. */
const messagesAtOnce = 500

const { bodyDepth = defaultBodyDepth, bodyValues = defaultBodyValues } = chatRoutes.importChats

/** Reads every chat of a file: one chat or a list of them. Its JSON is measured before it is parsed. */
export function* readImportFile({ bytes, ownerId, at }: ImportQuestion): Generator<ImportAnswer> {
  const found = exceededBound(bytes, { depth: bodyDepth, values: bodyValues }) ?? readSources(bytes)
  if (typeof found === 'string') {
    yield { kind: 'refused', why: found }
    return
  }
  yield { kind: 'found', chats: found.length }
  for (const { kind, source } of found) {
    const plan = planImport(ownerId, kind, source, at)
    if (plan === undefined) yield { kind: 'silent' }
    else yield* inParts(plan.chat, plan.messages)
  }
  yield { kind: 'end' }
}

function* inParts(chat: Chat, all: readonly ThreadMessage[]): Generator<ImportAnswer> {
  for (let from = 0; from < all.length; from += messagesAtOnce) {
    const part = { messages: all.slice(from, from + messagesAtOnce), more: from + messagesAtOnce < all.length }
    yield from === 0 ? { kind: 'chat', chat, ...part } : { kind: 'messages', ...part }
  }
}

interface Source {
  readonly kind: string
  readonly source: SourceChat
}

function readSources(bytes: Uint8Array): readonly Source[] | 'malformed' | 'unknown' | 'too-much' {
  const file = parse(bytes)
  if (file === undefined) return 'malformed'
  const values = Array.isArray(file.value) ? file.value : [file.value]
  if (values.length > maxChats) return 'too-much'
  const sources: Source[] = []
  let messages = 0
  for (const value of values) {
    const source = readSource(value)
    if (source === undefined) return 'unknown'
    messages += source.source.messages.length
    if (messages > maxMessages) return 'too-much'
    sources.push(source)
  }
  return sources
}

function parse(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder().decode(bytes)) }
  } catch {
    // The parser's message would repeat the text that it was given.
    return undefined
  }
}

function readSource(value: unknown): Source | undefined {
  for (const [kind, read] of Object.entries(readers)) {
    const source = read(asObject(value))
    if (source !== undefined) return { kind, source }
  }
  return undefined
}
