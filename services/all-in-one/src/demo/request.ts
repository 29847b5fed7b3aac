import { questionOf, type RecordedPrompt } from '@parley/fake-provider'

/** The parts of a prompt that the demo uses. */
export interface DemoRequest {
  /** The user's last message. */
  readonly question: string
  /** Kinds of its attachments. */
  readonly attached: readonly ('image' | 'file')[]
  /** Results of tools since then. */
  readonly results: readonly string[]
  readonly tools: RecordedPrompt['tools']
  /** UTF-16 units of the whole prompt. */
  readonly length: number
}

/** Reads a prompt; missing parts are empty. */
export function readRequest({ messages, tools }: RecordedPrompt): DemoRequest {
  const place = questionOf(messages)
  const question = messages[place]
  return {
    question: question?.text ?? '',
    attached: (question?.files ?? []).map(({ type }) => (type.startsWith('image/') ? 'image' : 'file')),
    results: messages.slice(place + 1).flatMap(({ results }) => results.map(({ text }) => text)),
    tools,
    length: messages.reduce((sum, { text }) => sum + text.length, 0),
  }
}
