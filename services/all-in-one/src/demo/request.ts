import { questionOf, type RecordedPrompt } from '@parley/fake-provider'

/** What the demo takes of a prompt. */
export interface DemoRequest {
  /** The last thing that the user wrote. */
  readonly question: string
  /** Kinds of what is attached to it. */
  readonly attached: readonly ('image' | 'file')[]
  /** What tools gave since then. */
  readonly results: readonly string[]
  readonly tools: RecordedPrompt['tools']
  /** UTF-16 units of the whole prompt. */
  readonly length: number
}

/** Reads a prompt; what it has not is empty. */
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
