import { noUsage } from '../store/continued.ts'
import { type Ending, shownDetails } from '../store/entities.ts'

/** The fields of a finished message that has a text and nothing else. */
export const plainMessage = {
  status: 'complete',
  reasoning: '',
  ...shownDetails({}),
  attachments: [],
  modes: [],
  events: [],
  search: null,
  feedback: null,
  clientMessageId: null,
  ending: null,
} as const

/** The ending of a complete answer that no generation made: an image, or an imported one. */
export const plainEnding = (known: Partial<Pick<Ending, 'usage' | 'credits' | 'durationMs'>>): Ending => ({
  outcome: 'complete',
  finishReason: 'stop',
  usage: noUsage,
  credits: { charged: 0, remaining: 0 },
  failure: null,
  durationMs: 0,
  ...known,
})
