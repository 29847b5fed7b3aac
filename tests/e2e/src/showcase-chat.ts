import type { Attachment, ToolCall } from '@parley/contracts'
import { thread } from './crafted-chat.ts'

const timestamp = '2026-01-05T10:00:00.000Z'

const picture: Attachment = {
  id: 'picture',
  type: 'image',
  mimeType: 'image/png',
  url: '/api/chat/files/picture',
  name: 'house.png',
  size: 41_200,
  detail: 'auto',
  width: 800,
  height: 600,
}
const pdf: Attachment = {
  id: 'pdf',
  type: 'file',
  mimeType: 'application/pdf',
  url: '/api/chat/files/pdf',
  name: 'energy-certificate.pdf',
  size: 412_000,
  detail: 'auto',
  pages: 3,
}

const toolCalls: ToolCall[] = [
  {
    toolName: 'get_quote',
    toolCallId: 'quote',
    parameters: { symbol: 'ENPH' },
    status: 'completed',
    result: {
      symbol: 'ENPH',
      name: 'Enphase Energy',
      price: 71.23,
      change: -1.2,
      changePercent: -1.66,
      currency: 'USD',
      time: timestamp,
      delayed: true,
    },
    timestamp,
  },
  {
    toolName: 'read_page',
    toolCallId: 'page',
    parameters: { url: 'https://a.example' },
    status: 'completed',
    result: { read: true },
    resultNormalized: 'One page read',
    timestamp,
  },
  {
    toolName: 'read_page',
    toolCallId: 'lost',
    parameters: { url: 'https://b.example' },
    status: 'error',
    error: 'The page could not be read',
    timestamp,
  },
]

const content = `For **24 MWh** a year the flow temperature decides [1]; see also [2] and [3].

| System | COP | Cost |
|---|--:|--:|
| Air | 2.9 | € 2,235 |
| Ground | 4.4 | € 1,473 |

Inline $E=mc^2$ costs $5 and $10.

$$\\int_0^1 x^2\\,dx = \\frac13$$

\`\`\`python
def cost(heat, cop, price=0.27):
    return heat / cop * price
\`\`\`

\`\`\`mermaid
graph LR
  A[House] --> B{Warm?}
  B -->|yes| C(Stay)
  B -->|no| D(Heat)
\`\`\`

- [x] Insulate the attic
- [ ] Balance the radiators

A note[^1].

[^1]: Of the footer.`

/** A chat with one of everything that a thread can show. */
export const showcaseChat = thread(
  {
    role: 'user',
    content: 'Which heat pump suits a house from 1962? Read the certificate.',
    attachments: [picture, pdf],
    modes: ['webSearch', 'finance'],
    versions: ['old', 'm0', 'new'],
  },
  {
    role: 'assistant',
    content,
    reasoning: 'The house is not insulated. '.repeat(20),
    reasoningMs: 6_200,
    usage: { inputTokens: 412, outputTokens: 96, estimated: true },
    credits: 1,
    durationMs: 3_800,
    webSearchQuery: 'heat pump 1962 house',
    webSearchResults: [
      { title: 'Heat pumps', url: 'https://pumps.example/a', domain: 'pumps.example', summary: 'What they cost.' },
      { title: 'Energy', url: 'https://energy.example/b', domain: 'energy.example' },
    ],
    toolCalls,
    versions: ['m1', 'other'],
  },
  { role: 'user', content: 'And in short?' },
  {
    role: 'assistant',
    content: 'Half an answer',
    status: 'interrupted',
    finishReason: 'error',
    error: 'Streaming was interrupted',
    credits: 1,
  },
)
