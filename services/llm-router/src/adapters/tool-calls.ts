import { randomUUID } from 'node:crypto'
import type { PromptToolCall } from '@parley/contracts'
import type { Finish, ProviderEvent } from './adapter.ts'

/** More than this is no call that a tool could use; UTF-16 units of all calls of an answer. */
const longestArguments = 256_000
/** Of one answer. */
const mostCalls = 128

/** One part of a call, as streams bring it. */
export interface CallPart {
  /** Which call of the answer it belongs to; by the id, or to the last one, without it. */
  readonly index?: number | null | undefined
  readonly id?: string | null | undefined
  readonly name?: string | null | undefined
  /** A piece of JSON. */
  readonly arguments?: string | null | undefined
}

/** Puts the calls of one answer together. */
export interface CallCollector {
  /** @throws Error when there is more than any tool could use */
  add(part: CallPart): ProviderEvent
  /** The whole calls in the order they began, and the end of the answer; called again, those that came since. @param reason in the provider's eyes */
  finish(reason: Finish): ProviderEvent[]
}

interface Call {
  readonly index: number | undefined
  readonly id: string | undefined
  name: string
  arguments: string
}

/** Starts with no call. */
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
      const whole = untold.filter((call) => call.name !== '' && (reason !== 'length' || isJson(call.arguments)))
      const events = whole.map((call): ProviderEvent => ({ type: 'tool', call: presentCall(call, seen) }))
      return [...events, { type: 'finish', reason: finishOf(reason, seen.size > 0) }]
    },
  }
}

/** Some servers number every call 0, some number none, and some give each part of a call an id of its own; a name begins a call. */
function findCall(calls: readonly Call[], { index, id, name }: CallPart): Call | undefined {
  const byId = id ? calls.findLast((call) => call.id === id) : undefined
  if (byId !== undefined || (name && (id || index == null))) return byId
  return calls.findLast((call) => index == null || call.index === index)
}

/** Ids tell calls apart, so each has one of its own whatever the provider sent. */
function presentCall({ id, name, arguments: text }: Call, seen: Set<string>): PromptToolCall {
  const own = id === undefined || seen.has(id) ? `call_${randomUUID().replaceAll('-', '')}` : id
  seen.add(own)
  return { id: own, name, arguments: text.trim() === '' ? '{}' : text }
}

/** Some providers say `stop` after calls, and some say `tool_calls` after none. */
const finishOf = (reason: Finish, hasCalls: boolean): Finish => {
  if (reason === 'length') return 'length'
  return hasCalls ? 'tool_calls' : 'stop'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // What the model was cut off in.
    return false
  }
}
