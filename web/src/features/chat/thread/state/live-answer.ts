import type { Attachment, GuestSession, StreamEvent, ToolCall, Usage, UsedMemory } from '@parley/contracts'
import type { WebSearch } from '../../../../shared/message/answer-parts.ts'
import type { AnswerEvent, AnswerStep } from '../../stream/answer-event.ts'
import { judgeSequence } from '../../stream/sequence.ts'
import { followSearch, takePages, takeTool } from './lookups.ts'

type Done = Extract<StreamEvent, { done: true }>

/** The source of an answer's events: this tab's own stream, the socket, or the single call of an image generation. */
export type AnswerSource = 'stream' | 'socket' | 'image'

/** The part of an answer received so far. Times are in milliseconds since the epoch. */
export interface LiveAnswer {
  /** Key of its row in the thread. */
  readonly key: string
  readonly source: AnswerSource
  readonly messageId: string | null
  /** Identifies its stream; null until known. */
  readonly streamId: string | null
  readonly chatId: string | null
  readonly userMessageId: string | null
  readonly title: string | null
  readonly model: string | null
  readonly content: string
  readonly reasoning: string
  readonly toolCalls: readonly ToolCall[]
  readonly webSearch: WebSearch | null
  readonly attachments: readonly Attachment[]
  readonly memoriesUsed: readonly UsedMemory[]
  readonly memoryUnavailable: boolean
  readonly phase: 'waiting' | 'thinking' | 'writing'
  readonly startedAt: number
  /** Time of the last event; initially the start. */
  readonly heardAt: number
  readonly thinkingSince: number | null
  /** Duration of the reasoning; null while unknown. */
  readonly thinkingMs: number | null
  readonly connection: Extract<AnswerStep, { type: 'connection' }>['state']
  readonly stopping: boolean
  /** It was not read from its start in real time, so durations of its start are unknown. */
  readonly resumed: boolean
  readonly guest: GuestSession | null
  readonly outcome: { finishReason: Done['finishReason']; usage: Usage; credits: Done['credits'] } | null
  /** Number of the last applied event; null until a snapshot arrives. */
  readonly lastSeq: number | null
  /** An event arrived after a gap: the missing ones must be read. */
  readonly missesEvents: boolean
}

/** An answer in its initial state, to be shown in row `key`. */
export function emptyAnswer(
  key: string,
  at: number,
  messageId: string | null = null,
  streamId: string | null = messageId,
): LiveAnswer {
  return {
    key,
    source: 'stream',
    messageId,
    streamId,
    chatId: null,
    userMessageId: null,
    title: null,
    model: null,
    content: '',
    reasoning: '',
    toolCalls: [],
    webSearch: null,
    attachments: [],
    memoriesUsed: [],
    memoryUnavailable: false,
    phase: 'waiting',
    startedAt: at,
    heardAt: at,
    thinkingSince: null,
    thinkingMs: null,
    connection: 'connected',
    stopping: false,
    resumed: messageId !== null,
    guest: null,
    outcome: null,
    lastSeq: 0,
    missesEvents: false,
  }
}

/** The answer after one step at time `at`: a repeated event changes nothing, and one after a gap only marks that events are missing. */
export function reduceAnswer(live: LiveAnswer, step: AnswerStep, at: number): LiveAnswer {
  switch (step.type) {
    case 'connection':
      return live.connection === step.state ? live : { ...live, connection: step.state }
    case 'restart':
      return {
        ...emptyAnswer(live.key, live.startedAt, live.messageId, live.streamId),
        chatId: live.chatId,
        stopping: live.stopping,
      }
    case 'snapshot':
      return (live.lastSeq ?? -1) < step.seq ? { ...applySnapshot(live, step), heardAt: at } : live
    case 'event': {
      if (live.lastSeq === null) return live
      const verdict = judgeSequence(live.lastSeq, step.seq)
      if (verdict === 'next') return { ...applyEvent(live, step.event, at), lastSeq: step.seq, heardAt: at }
      return verdict === 'gap' && !live.missesEvents ? { ...live, missesEvents: true } : live
    }
    default:
      return step satisfies never
  }
}

function applySnapshot(live: LiveAnswer, { seq, content, reasoning }: Extract<AnswerStep, { type: 'snapshot' }>) {
  const phase = content !== '' ? 'writing' : reasoning !== '' ? 'thinking' : 'waiting'
  return { ...live, content, reasoning, phase, lastSeq: seq, resumed: true, missesEvents: false } as const
}

function applyEvent(live: LiveAnswer, event: AnswerEvent, at: number): LiveAnswer {
  switch (event.type) {
    case 'start':
      return {
        ...live,
        chatId: event.chatId,
        messageId: event.messageId,
        streamId: event.streamId,
        userMessageId: event.userMessageId || null,
        model: event.model || null,
        title: event.title ?? null,
      }
    case 'guest':
      return { ...live, guest: event.guest }
    case 'memories':
      return { ...live, memoriesUsed: event.used }
    case 'memoryUnavailable':
      return { ...live, memoryUnavailable: true }
    case 'reasoning':
      return {
        ...live,
        reasoning: live.reasoning + event.delta,
        phase: live.phase === 'waiting' ? 'thinking' : live.phase,
        thinkingSince: live.thinkingSince ?? at,
      }
    case 'text':
      return {
        ...stopThinking(live, at),
        content: live.content + event.delta,
        phase: 'writing',
        webSearch: live.webSearch && endSearch(live.webSearch),
      }
    case 'found':
      return { ...live, webSearch: { ...takePages(live.webSearch, event.pages), stage: 'searching' } }
    case 'reading':
      return { ...live, webSearch: { ...takePages(live.webSearch, []), stage: 'reading' } }
    case 'tool':
      return {
        ...live,
        toolCalls: takeTool(live.toolCalls, event.call, at),
        webSearch: followSearch(live.webSearch, event.call),
      }
    case 'parts':
      return {
        ...live,
        toolCalls: event.toolCalls,
        attachments: event.attachments,
        webSearch: event.results.length > 0 ? { ...takePages(live.webSearch, event.results), stage: 'done' } : null,
      }
    case 'done': {
      const { finishReason, usage, credits } = event
      return { ...stopThinking(live, at), outcome: { finishReason, usage, credits } }
    }
    case 'error':
    case 'end':
    case 'other':
      return live
    default:
      return event satisfies never
  }
}

/** Once an answer has text, its search is over. */
const endSearch = (search: WebSearch): WebSearch =>
  search.stage === 'searching' || search.stage === 'reading' ? { ...search, stage: 'done' } : search

function stopThinking(live: LiveAnswer, at: number): LiveAnswer {
  if (live.phase !== 'thinking' || live.thinkingSince === null) return live
  const measured = at - live.thinkingSince
  // Missed events arrive all at once, so their times mean nothing.
  return live.resumed && measured < 1000 ? live : { ...live, thinkingMs: measured }
}
