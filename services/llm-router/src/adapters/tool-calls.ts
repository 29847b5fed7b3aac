import { randomUUID } from 'node:crypto'
import type { PromptToolCall } from '@parley/contracts'
import type { Finish, ProviderEvent } from './adapter.ts'

/** UTF-16 units in all calls of an answer; no tool could use more. */
const longestArguments = 256_000
/** Per answer. */
const mostCalls = 128

/** One part of a streamed call. */
export interface CallPart {
  /** The index of the call in the answer; without it the part belongs to the call with its id, or else to the last one. */
  readonly index?: number | null | undefined
  readonly id?: string | null | undefined
  readonly name?: string | null | undefined
  /** A fragment of JSON. */
  readonly arguments?: string | null | undefined
}

/** Assembles the calls of one answer. */
export interface CallCollector {
  /** @throws Error when there is more than any tool could use */
  add(part: CallPart): ProviderEvent
  /** The complete calls in order of their start, and the end of the answer; later invocations return only new calls. @param reason the provider's */
  finish(reason: Finish): ProviderEvent[]
}

interface Call {
  readonly index: number | undefined
  readonly id: string | undefined
  name: string
  arguments: string
}

/** Starts without calls. */
export function createCallCollector(): CallCollector {
  const calls: Call[] = []
  const seen = new Set<string>()
  let told = 0
  let length = 0
  const begin = ({ index, id, name }: CallPart): Call => {
    if (calls.length === mostCalls) throw new Error('Too many tool calls')
    const call = { index: index ?? undefined, id: id || undefined, name: name ?? '', arguments: '' }
    calls.push(call)
    return call
  }
  return {
    add(part) {
      const call = findCall(calls, part) ?? begin(part)
      if (call.name === '') call.name = part.name ?? ''
      call.arguments += part.arguments ?? ''
      length += part.arguments?.length ?? 0
      if (length > longestArguments) throw new Error('The arguments of the tool calls are too long')
      return { type: 'tool-piece' }
    },
    finish(reason) {
      const untold = calls.slice(told)
      told = calls.length
      const whole = untold.filter((call) => call.name !== '' && (!isCutOff(reason) || parsedArguments(call.arguments)))
      const events = whole.map((call): ProviderEvent => ({ type: 'tool', call: presentCall(call, seen) }))
      return [...events, { type: 'finish', reason: finishOf(reason, seen.size > 0) }]
    },
  }
}

/** Some servers number every call 0, some number none, and some give each part an id of its own; a name starts a new call. */
function findCall(calls: readonly Call[], { index, id, name }: CallPart): Call | undefined {
  const byId = id ? calls.findLast((call) => call.id === id) : undefined
  if (byId !== undefined || (name && (id || index == null))) return byId
  return calls.findLast((call) => index == null || call.index === index)
}

/** Each call gets a unique id, whatever the provider sent. */
function presentCall({ id, name, arguments: text }: Call, seen: Set<string>): PromptToolCall {
  const own = id === undefined || seen.has(id) ? `call_${randomUUID().replaceAll('-', '')}` : id
  seen.add(own)
  return { id: own, name, arguments: text.trim() === '' ? '{}' : text }
}

/** Whether an answer may have ended inside a call. */
const isCutOff = (reason: Finish): boolean => reason === 'length' || reason === 'content_filter'

/** Some providers report `stop` after calls, and some `tool_calls` without any. */
const finishOf = (reason: Finish, hasCalls: boolean): Finish => {
  if (isCutOff(reason)) return reason
  return hasCalls ? 'tool_calls' : 'stop'
}

/** The arguments of a call; undefined if they are no JSON object, by a mistake of the model or because its output was cut off. */
export function parsedArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
