import type { Chat, Ending, NewGeneration, Progress, Send, UserMessage } from '../../src/store/entities.ts'
import type { ChatStores } from '../../src/store/index.ts'
import type { FinishedMessage } from '../../src/store/message-store.ts'
import type { SearchMemory } from '../../src/store/search-store.ts'

/** What the suites need of an engine: the stores, twice, as two replicas have them. Every test begins without any document. */
export interface ChatEngine {
  readonly stores: ChatStores
  readonly replica: ChatStores
}

/** Far less than the product's, so that a suite can bring more than fits. */
export const searchMemory: SearchMemory = { indexed: 256 * 1024, lookedAt: 1024 * 1024 }

/** A time so many seconds after a fixed one. */
export const second = (seconds: number): Date => new Date(Date.UTC(2030, 0, 1) + seconds * 1000)

/** A finished message: a user's, or an answer with what `parts` say. */
export const sampleFinished = (id: string, parts: Partial<FinishedMessage> = {}): FinishedMessage => ({
  id,
  role: 'user',
  status: 'complete',
  content: `Content of ${id}`,
  reasoning: '',
  reasoningMs: 0,
  attachments: [],
  modes: [],
  events: [],
  search: null,
  feedback: null,
  model: 'v3',
  clientMessageId: null,
  ending: null,
  createdAt: second(0),
  ...parts,
})

/** A chat of the owner `owner`. */
export const sampleChat = (id: string, parts: Partial<Chat> = {}): Chat => ({
  id,
  ownerId: 'owner',
  title: `Title of ${id}`,
  modelUsed: 'v3',
  pinned: false,
  messageCount: 0,
  leafId: null,
  createdAt: second(0),
  updatedAt: second(0),
  ...parts,
})

/** A user's message. */
export const sampleMessage = (id: string, parts: Partial<UserMessage> = {}): UserMessage => ({
  id,
  chatId: 'chat',
  ownerId: 'owner',
  parentId: null,
  content: `Content of ${id}`,
  attachments: [],
  modes: [],
  model: 'v3',
  clientMessageId: null,
  createdAt: second(0),
  ...parts,
})

/** The record of a send. */
export const sampleSend = (id: string, parts: Partial<Send> = {}): Send => ({
  id,
  ownerId: 'owner',
  clientMessageId: null,
  idempotencyKey: null,
  bodyHash: `hash of ${id}`,
  chatId: `chat of ${id}`,
  userMessageId: `question of ${id}`,
  messageId: `answer of ${id}`,
  parentId: null,
  createdAt: second(0),
  ...parts,
})

/** An answer to be begun. */
export const sampleGeneration = (id: string, parts: Partial<NewGeneration> = {}): NewGeneration => ({
  id,
  chatId: 'chat',
  ownerId: 'owner',
  parentId: `question of ${id}`,
  model: 'v3',
  price: 2,
  guest: null,
  opening: [{ chatId: 'chat', messageId: id, userMessageId: `question of ${id}`, model: 'v3' }],
  createdAt: second(0),
  expiresAt: null,
  continued: null,
  ...parts,
})

/** What an answer has come to. */
export const sampleProgress = (parts: Partial<Progress> = {}): Progress => ({
  content: 'Grüße 😀',
  reasoning: 'why',
  frames: [-3, 0, 8],
  events: [{ tool_call_start: { toolName: 'search', toolCallId: 'call', parameters: { query: 'x' } } }],
  search: { query: 'x', results: [{ title: 'Page', url: 'https://example.com/', domain: 'example.com' }] },
  attachments: [],
  model: 'fallback',
  price: 1,
  opening: [{ chatId: 'chat', messageId: 'id', userMessageId: 'question', model: 'fallback' }],
  promptTokens: 5,
  reasoningMs: 700,
  ...parts,
})

/** The end of a complete answer. */
export const sampleEnding = (parts: Partial<Ending> = {}): Ending => ({
  outcome: 'complete',
  finishReason: 'stop',
  usage: { inputTokens: 5, outputTokens: 3, estimated: false },
  credits: { charged: 1, remaining: 99 },
  failure: null,
  durationMs: 1200,
  ...parts,
})

/** A lease that outlives any test. */
export const held = (owner: string) => ({ owner, ms: 60_000 })
/** A lease that has run out. */
export const runOut = (owner: string) => ({ owner, ms: -1_000 })
