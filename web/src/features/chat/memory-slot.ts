import type { UsedMemory } from '@parley/contracts'
import { createContext, type ReactNode } from 'react'

/** What memory does in a chat; the application puts it in. */
export interface MemorySlot {
  /** Opens the panel. */
  readonly open: () => void
  /** Asks how a message is to be remembered. */
  readonly rememberMessage: (text: string, source: { readonly chatId: string; readonly messageId: string }) => void
  /** Carries out a command with what was written behind it. Answers false where the text is to stay. */
  readonly run: (command: MemoryCommand, text: string) => Promise<boolean>
  /** Shows in an answer's row of buttons what it has to do with memory; `questionId` is null while unknown. */
  readonly onAnswer: (input: {
    readonly used: readonly UsedMemory[]
    readonly unavailable: boolean
    readonly questionId: string | null
  }) => ReactNode
}

/** The commands that are about memory. */
export type MemoryCommand = 'remember' | 'memories' | 'forget'

/** Memory for the rows of a thread. */
export const MemoryContext = createContext<MemorySlot | null>(null)
