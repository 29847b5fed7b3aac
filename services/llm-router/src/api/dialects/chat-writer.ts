import { openaiCall } from '../../adapters/openai-messages.ts'
import { type AnswerWriter, type CompleteAnswer, eventText, type WriterOptions } from './answer-writer.ts'

/** Writes a chat completion in OpenAI's format. @param includesUsage the caller requested usage figures in the stream */
export function createChatWriter(options: WriterOptions, includesUsage: boolean): AnswerWriter {
  const base = { id: `chatcmpl-${options.generationId}`, created: options.created, model: options.model }
  const chunk = (delta: object, finish: string | null = null): string =>
    eventText({
      ...{ ...base, object: 'chat.completion.chunk' },
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    })
  let calls = 0
  return {
    id: base.id,
    open: () => chunk({ role: 'assistant', content: '' }),
    add(event) {
      switch (event.type) {
        case 'text':
          return chunk({ content: event.text })
        case 'reasoning':
          return chunk({ reasoning_content: event.text })
        case 'tool':
          return chunk({ tool_calls: [{ index: calls++, ...openaiCall(event.call) }] })
        default:
          return ''
      }
    },
    close(answer) {
      const { finish, credits } = answer
      const figures = { ...base, object: 'chat.completion.chunk', choices: [], usage: chatUsage(answer), credits }
      return `${chunk({}, finish)}${includesUsage ? eventText(figures) : ''}data: [DONE]\n\n`
    },
    whole: ({ text, reasoning, calls: made, finish, ...figures }) => ({
      ...{ ...base, object: 'chat.completion' },
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: text === '' && made.length > 0 ? null : text,
            refusal: null,
            ...(reasoning !== '' && { reasoning_content: reasoning }),
            ...(made.length > 0 && { tool_calls: made.map(openaiCall) }),
          },
          logprobs: null,
          finish_reason: finish,
        },
      ],
      usage: chatUsage(figures),
    }),
  }
}

const chatUsage = ({ usage, cachedTokens }: Pick<CompleteAnswer, 'usage' | 'cachedTokens'>) => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: { cached_tokens: cachedTokens },
})
