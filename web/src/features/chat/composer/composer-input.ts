import type { ChatModels } from '../chat-models.ts'
import type { MemorySlot } from '../memory-slot.ts'
import type { SendOptions, SendResult } from '../thread/session/session-core.ts'
import type { ComposerDrafts } from './composer-drafts.ts'
import type { Gate } from './send-blocker.ts'

/** What the composer needs from the chat. */
export interface ComposerInput {
  readonly chatId: string | null
  readonly drafts: ComposerDrafts
  readonly guest: boolean
  /** An answer is running: nothing can be sent, but the answer can be stopped. */
  readonly busy: boolean
  /** While `waiting`, a message is queued until the gate is `open`; `closed` means that no model can answer. */
  readonly gate: Gate
  readonly models: ChatModels
  readonly onSend: (text: string, options: SendOptions) => SendResult
  readonly onImage: (prompt: string, model: string | undefined) => SendResult
  /** See {@link MemorySlot}. */
  readonly onMemory: MemorySlot['run']
  readonly onExport: (format: string) => void
  readonly onHelp: () => void
  readonly onSignIn: () => void
}
