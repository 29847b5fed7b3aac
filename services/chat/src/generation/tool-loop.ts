import type { CompletionLine, PromptMessage, PromptTool, PromptToolCall } from '@parley/contracts'
import type { AnswerPrompt } from '../sending/prompt.ts'
import { noUsage, sumUsage } from '../store/continued.ts'
import { estimateLength, estimateTokens } from '../text/estimate-tokens.ts'
import { type CallDeps, type CallReport, runCall, runModelCall } from '../tools/run-call.ts'
import type { Tool } from '../tools/tool.ts'
import { BrokenCompletion } from './completion-lines.ts'
import type { Cause } from './ending.ts'
import type { Delta } from './transcript.ts'

/** Rounds in which a model may call tools before it has to answer, and calls of one round. */
const mostRounds = 5
const mostCalls = 8

export interface ToolLoopDeps {
  /** Opens a completion; resolves to its lines. */
  openCompletion(
    messages: readonly PromptMessage[],
    tools: readonly PromptTool[],
    retained: RetainedPrompt,
  ): Promise<AsyncIterable<readonly CompletionLine[]>>
  /** Opens the answer's stream before any model answers. */
  openStream(): void
  /** A completion has started. */
  onStart(by: { readonly model: string; readonly creditsPerMessage: number }): void
  emit(delta: Delta): void
  /** Estimated tokens of all prompts so far. */
  notePrompt(tokens: number): void
  readonly calls: CallDeps
}

/** The part of the last completion's prompt that llm-router keeps. */
export interface RetainedPrompt {
  /** How many of the first messages. */
  readonly messages: number
  /** The replica that keeps them. */
  readonly at?: string | undefined
}

type End = Extract<CompletionLine, { type: 'end' | 'error' }>

/** One completion, read to its end. */
interface Completion {
  readonly end: End
  readonly text: string
  readonly calls: readonly PromptToolCall[]
}

/**
 * Runs the calls up front, opens a completion, runs the tools that the model calls and opens the next one with their results, until the model
 * answers. The usage is summed over all completions.
 * @returns why it ended; undefined when the last completion broke off
 * @throws what `openCompletion` throws, and BrokenCompletion
 */
export async function runToolLoop(loop: ToolLoopDeps, prompt: AnswerPrompt): Promise<Cause | undefined> {
  const { offered } = prompt.tools
  let { messages, room } = await runUpFront(loop, prompt)
  let usage = noUsage
  let promptTokens = 0
  let textBefore = ''
  let retained: RetainedPrompt = { messages: 0 }
  for (let round = 0; ; round += 1) {
    promptTokens += prompt.tokens + (prompt.room - room)
    loop.notePrompt(promptTokens)
    const tools = round < mostRounds ? offered : []
    const lines = await loop.openCompletion(
      messages,
      tools.map(({ spec }) => spec),
      retained,
    )
    const completion = await readCompletion(loop, lines, textBefore)
    if (completion === undefined) return undefined
    textBefore = completion.text || textBefore
    usage = sumUsage(usage, completion.end.usage)
    const { end, calls } = completion
    if (end.type === 'error') return { kind: 'failed', error: end.error, code: end.code, usage }
    if (calls.length === 0 || tools.length === 0) {
      return { kind: 'ended', finishReason: end.finishReason === 'length' ? 'length' : 'stop', usage }
    }
    retained = end.kept === true ? { messages: messages.length, at: end.keptAt } : { messages: 0 }
    const answered = await runCalls(loop.calls, tools, completion, room)
    messages = [...messages, ...answered.messages]
    room = answered.room
    loop.calls.signal.throwIfAborted()
  }
}

async function readCompletion(
  loop: ToolLoopDeps,
  lines: AsyncIterable<readonly CompletionLine[]>,
  textBefore: string,
): Promise<Completion | undefined> {
  const calls: PromptToolCall[] = []
  let text = ''
  let hasBegun = false
  for await (const batch of lines) {
    for (const line of batch) {
      if (!hasBegun && line.type !== 'start' && line.type !== 'error')
        throw new BrokenCompletion('It began without a start')
      switch (line.type) {
        case 'start':
          hasBegun = true
          loop.onStart(line)
          break
        case 'text':
          // Text from before a tool call is a paragraph of its own.
          loop.emit({ kind: 'text', text: (text === '' && /\S$/.test(textBefore) ? '\n\n' : '') + line.text })
          text += line.text
          break
        case 'reasoning':
          loop.emit({ kind: 'reasoning', text: line.text })
          break
        case 'tool':
          if (calls.length < mostCalls) calls.push(line.call)
          break
        case 'end':
        case 'error':
          return { end: line, text, calls }
        default:
          line satisfies never
      }
    }
  }
  return undefined
}

/** The prompt with the results of the calls up front put before the question. */
async function runUpFront(loop: ToolLoopDeps, { messages, room, tools }: AnswerPrompt) {
  if (tools.upFront.length === 0) return { messages, room }
  loop.openStream()
  const reports = await Promise.all(tools.upFront.map(({ tool, parameters }) => runCall(loop.calls, tool, parameters)))
  loop.calls.signal.throwIfAborted()
  const material = truncate(reports.map((report) => report.material).join('\n\n'), room)
  const last = messages.length - 1
  const put = (message: PromptMessage): PromptMessage => {
    if (message.role !== 'user') return message
    const { content } = message
    if (typeof content === 'string') return { ...message, content: `${material}\n\n${content}` }
    return { ...message, content: [{ type: 'text', text: material }, ...content] }
  }
  const question = messages.map((message, index) => (index === last ? put(message) : message))
  return { messages: question, room: room - estimateTokens(material.length) }
}

async function runCalls(deps: CallDeps, tools: readonly Tool[], { text, calls }: Completion, room: number) {
  const reports = await Promise.all(calls.map((call) => runModelCall(deps, tools, call)))
  const toolCalls = reports.map(({ id, name, arguments: given }) => ({ id, name, arguments: given }))
  let left = room
  const results = reports.map(({ id, material }: CallReport): PromptMessage => {
    const content = truncate(material, left)
    left -= estimateTokens(content.length)
    return { role: 'tool', toolCallId: id, content }
  })
  const calling: PromptMessage = { role: 'assistant', content: text, toolCalls }
  return { messages: [calling, ...results], room: left - estimateTokens(text.length) }
}

/** The text, cut to the tokens that are left. */
function truncate(material: string, room: number): string {
  const length = estimateLength(room)
  return material.length <= length
    ? material
    : `${material.slice(0, length).toWellFormed()}\n[The rest was cut for want of room.]`
}
