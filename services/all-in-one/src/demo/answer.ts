import type { DemoRequest } from './request.ts'

/** The demo's answer: it says that it is a demo, and has enough Markdown to show how answers look. */
export function demoAnswer({
  question,
  attached,
  results,
}: Pick<DemoRequest, 'question' | 'attached' | 'results'>): string {
  const quoted = oneLine(question, 200)
  const parts = [
    'This is a **demo answer**: no key of a model provider is configured, so no model has read your message.',
    quoted === '' ? '' : `You wrote:\n\n> ${quoted}`,
    attached.length === 0
      ? ''
      : `With it came ${attached.map((kind) => named[kind]).join(', ')}, which the demo doesn’t look at.`,
    ...results.map((result) => `A tool was called, and said:\n\n> ${oneLine(result, 300)}`),
    ...extras.filter(({ when }) => when.test(question)).map(({ text }) => text),
    'To talk to a real model, stop Parley and start it with a key, for example:\n\n```sh\nDEEPSEEK_API_KEY=… npm start\n```',
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

const oneLine = (text: string, length: number): string => text.replace(/\s+/g, ' ').trim().slice(0, length)
const named = { image: 'an image', file: 'a file' } as const

const extras = [
  {
    when: /\bcode|function|program|python|script\b/i,
    text: 'Code is shown like this:\n\n```python\ndef yearly_cost(heat_kwh, cop, price=0.27):\n    # electricity bought, times its price\n    return heat_kwh / cop * price\n```',
  },
  {
    when: /\btable|compare|list\b/i,
    text: 'Tables are shown like this:\n\n| Service | Keeps |\n|---|---|\n| auth | accounts and sessions |\n| chat | chats and messages |\n| billing | credits |',
  },
  {
    when: /\blong|story|essay|explain\b/i,
    text: Array.from(
      { length: 12 },
      (_, index) =>
        `${index + 1}. A longer answer arrives in many small pieces. You can read while it grows, scroll away from its end, reload the page and see it continue, or stop it and keep what has arrived.`,
    ).join('\n'),
  },
]

/** A rough estimate for the usage figures. @param length of the text in UTF-16 units */
export const countTokens = (length: number): number => Math.ceil(length / 4)
