import type { UsedMemory } from '@parley/contracts'
import { createContext, type ReactNode } from 'react'

/** Memory in a chat; provided by the application. */
export interface MemorySlot {
  readonly open: () => void
  readonly rememberMessage: (text: string, source: { readonly chatId: string; readonly messageId: string }) => void
  /** Runs a command with its argument. Resolves to false when the text should stay in the composer. */
  readonly run: (command: MemoryCommand, text: string) => Promise<boolean>
  /** Renders an answer's memories in its row of buttons; `questionId` is null while unknown. */
  readonly onAnswer: (input: {
    readonly used: readonly UsedMemory[]
    readonly unavailable: boolean
    readonly questionId: string | null
  }) => ReactNode
}

export type MemoryCommand = 'remember' | 'memories' | 'forget'

/** Memory, for the rows of a thread. */
export const MemoryContext = createContext<MemorySlot | null>(null)
