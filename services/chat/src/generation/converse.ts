import type { CompletionLine, PromptMessage, PromptTool, PromptToolCall, Usage } from '@parley/contracts'
import type { AnswerPlan } from '../prompt.ts'
import { estimateLength, estimateTokens } from '../text/estimate-tokens.ts'
import { type CallDeps, type CallReport, runCall, runModelCall } from '../tools/run-call.ts'
import type { Tool } from '../tools/tool.ts'
import { BrokenCompletion } from './completion-lines.ts'
import type { Cause } from './ending.ts'
import type { Delta } from './transcript.ts'

/** Times that a model may call tools before it has to answer, and calls of one time. */
const mostRounds = 5
const mostCalls = 8

/** An answer as the conversation with its model makes it. */
export interface Making {
  /** Asks the model; the lines of its completion. @param known of the first messages, so many are those that it was asked last, and kept */
  ask(
    messages: readonly PromptMessage[],
    tools: readonly PromptTool[],
    known: number,
  ): Promise<AsyncIterable<readonly CompletionLine[]>>
  /** Opens the answer's stream before any model answers. */
  open(): void
  /** A model answers. */
  begin(by: { readonly model: string; readonly creditsPerMessage: number }): void
  say(delta: Delta): void
  /** Tokens of all that the model was asked so far, about. */
  notePrompt(tokens: number): void
  readonly calls: CallDeps
}

type End = Extract<CompletionLine, { type: 'end' | 'error' }>

/** What came of asking once. */
interface Heard {
  readonly end: End
  readonly text: string
  readonly calls: readonly PromptToolCall[]
}

/**
 * Runs what is called up front, asks the model, runs the tools that it calls and asks again with what they gave, until it answers. Usage is that of
 * all its completions.
 * @returns why it ended; undefined when the last completion broke off
 * @throws what asking throws, and BrokenCompletion
 */
export async function converse(making: Making, plan: AnswerPlan): Promise<Cause | undefined> {
  const { offered } = plan.tools
  let { messages, room } = await prepared(making, plan)
  let usage: Usage = { inputTokens: 0, outputTokens: 0, estimated: false }
  let asked = 0
  let spoken = ''
  let known = 0
  for (let round = 0; ; round += 1) {
    asked += plan.tokens + (plan.room - room)
    making.notePrompt(asked)
    const tools = round < mostRounds ? offered : []
    const lines = await making.ask(
      messages,
      tools.map(({ spec }) => spec),
      known,
    )
    const heard = await hear(making, lines, spoken)
    if (heard === undefined) return undefined
    spoken = heard.text || spoken
    usage = sum(usage, heard.end.usage)
    const { end, calls } = heard
    if (end.type === 'error') return { kind: 'failed', error: end.error, code: end.code, usage }
    if (calls.length === 0 || tools.length === 0) {
      return { kind: 'ended', finishReason: end.finishReason === 'length' ? 'length' : 'stop', usage }
    }
    known = end.kept === true ? messages.length : 0
    const answered = await runCalls(making.calls, tools, heard, room)
    messages = [...messages, ...answered.messages]
    room = answered.room
    making.calls.signal.throwIfAborted()
  }
}

async function hear(
  making: Making,
  lines: AsyncIterable<readonly CompletionLine[]>,
  spoken: string,
): Promise<Heard | undefined> {
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
          making.begin(line)
          break
        case 'text':
          // What it said before it called tools is a paragraph of its own.
          making.say({ kind: 'text', text: (text === '' && /\S$/.test(spoken) ? '\n\n' : '') + line.text })
          text += line.text
          break
        case 'reasoning':
          making.say({ kind: 'reasoning', text: line.text })
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

/** The prompt with what was called up front put before the question. */
async function prepared(making: Making, { messages, room, tools }: AnswerPlan) {
  if (tools.upFront.length === 0) return { messages, room }
  making.open()
  const reports = await Promise.all(
    tools.upFront.map(({ tool, parameters }) => runCall(making.calls, tool, parameters)),
  )
  making.calls.signal.throwIfAborted()
  const material = within(reports.map((report) => report.material).join('\n\n'), room)
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

async function runCalls(deps: CallDeps, tools: readonly Tool[], { text, calls }: Heard, room: number) {
  const reports = await Promise.all(calls.map((call) => runModelCall(deps, tools, call)))
  const toolCalls = reports.map(({ id, name, arguments: given }) => ({ id, name, arguments: given }))
  let left = room
  const results = reports.map(({ id, material }: CallReport): PromptMessage => {
    const content = within(material, left)
    left -= estimateTokens(content.length)
    return { role: 'tool', toolCallId: id, content }
  })
  const said: PromptMessage = { role: 'assistant', content: text, toolCalls }
  return { messages: [said, ...results], room: left - estimateTokens(text.length) }
}

/** As much of it as there is room for. */
function within(material: string, room: number): string {
  const length = estimateLength(room)
  return material.length <= length
    ? material
    : `${material.slice(0, length).toWellFormed()}\n[The rest was cut for want of room.]`
}

const sum = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  estimated: one.estimated || other.estimated,
})
