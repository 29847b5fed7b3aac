import { frameText, openAiChunk, openAiDone, openAiUsage } from '@parley/fake-provider'

/** Milliseconds since 1970: a clock shared by all processes of the machine. */
const wallClock = (): number => performance.timeOrigin + performance.now()

/** One event of OpenAI's stream, whose text carries the token's number and time of sending. */
export const tokenFrame = (number: number, padding: number): string =>
  frameText(openAiChunk('bench', { content: `[${number}:${wallClock().toFixed(2)}]${'x'.repeat(padding)} ` }))

/** The end of the stream: finish reason, usage, `[DONE]`. */
export function finishFrames(tokens: number): string {
  const usage = openAiUsage('bench', { inputTokens: 10, outputTokens: tokens })
  return [openAiChunk('bench', {}, 'stop'), usage, openAiDone].map((frame) => frameText(frame)).join('')
}

/** A response that is not streamed. */
export const wholeAnswer = JSON.stringify({
  ...{ id: 'chatcmpl-bench', object: 'chat.completion', created: 1_700_000_000, model: 'bench' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'A few words.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 },
})

interface AnyEvent {
  readonly text?: string
  readonly choices?: readonly { readonly delta: { readonly content?: string } }[]
}

/** The text added by one event, in the provider's format or Parley's; empty for other events. */
export function textOf(data: string): string {
  if (data === '[DONE]') return ''
  const event = JSON.parse(data) as AnyEvent
  return event.text ?? event.choices?.[0]?.delta.content ?? ''
}

/** Analysis of the tokens of one stream. */
export interface TokenReading {
  /** Tokens that never arrived. */
  readonly lost: number
  /** Tokens that arrived twice or out of order. */
  readonly disordered: number
  /** Milliseconds from sending to reading, by token. */
  readonly delays: readonly number[]
}

/** Reads the tokens of one stream as text arrives. */
export function createTokenReader(expected: number): { push(text: string): void; result(): TokenReading } {
  const delays: number[] = []
  const seen = new Set<number>()
  let rest = ''
  let next = 0
  let disordered = 0
  return {
    push(text) {
      const now = wallClock()
      rest += text
      let read = 0
      for (const match of rest.matchAll(/\[(\d+):([\d.]+)\]/g)) {
        const number = Number(match[1])
        if (number < next) disordered += 1
        next = Math.max(next, number + 1)
        seen.add(number)
        delays.push(now - Number(match[2]))
        read = match.index + match[0].length
      }
      rest = rest.slice(read)
    },
    result: () => ({ lost: expected - seen.size, disordered, delays }),
  }
}
