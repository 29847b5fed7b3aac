import type { Memory } from '@parley/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useMemo, useRef, useState } from 'react'
import { LaterTexts } from '../../../shared/i18n/index.ts'
import { lazyPart, retryImport } from '../../../shared/lazy/index.ts'
import { getSession } from '../../../shared/session/index.ts'
import { notify, UnseenBoundary } from '../../../shared/ui/index.ts'
import type { MemoryView } from '../panel/memory-panel.tsx'
import type { AnswerMemoriesInput } from './answer-memories.tsx'

const MemoryDialog = lazyPart(async () => (await import('./memory-dialog.tsx')).MemoryDialog)
const RememberDialog = lazyPart(async () => (await import('./remember-dialog.tsx')).RememberDialog)
const AnswerMemories = lazyPart(async () => (await import('./answer-memories.tsx')).AnswerMemories)
const loadCommands = () => retryImport(() => import('./commands.ts'))

/** A chat's interface to memory. Guests, who have none, are asked to sign in. */
export interface ChatMemory {
  readonly open: () => void
  /** Opens the dialog that remembers a message. */
  readonly rememberMessage: (text: string, source: NonNullable<Memory['source']>) => void
  /** Runs `/remember`, `/memories` or `/forget` with its argument. Resolves to false when the text should stay in the composer. */
  readonly run: (command: 'remember' | 'memories' | 'forget', text: string) => Promise<boolean>
  readonly onAnswer: (input: AnswerMemoriesInput) => ReactNode
}

type Shown =
  | { readonly type: 'panel'; readonly view: MemoryView; readonly query: string }
  | { readonly type: 'remember'; readonly text: string; readonly source: NonNullable<Memory['source']> }

interface Input {
  readonly chatId: string | null
  readonly chatPath: (chatId: string) => string
  readonly onSignIn: () => void
}

/** Memory for a chat, and its overlays. */
export function useChatMemory({ chatId, chatPath, onSignIn }: Input): { memory: ChatMemory; overlay: ReactNode } {
  const client = useQueryClient()
  const [shown, show] = useState<Shown | null>(null)
  const latest = useRef(onSignIn)
  latest.current = onSignIn
  const memory = useMemo((): ChatMemory => {
    /** Whether the user has a memory; guests get the hint. */
    const admit = (): boolean => {
      if (getSession().token !== null) return true
      notify.info((now) => now('memory.signIn'), {
        id: 'memory',
        action: { label: (now) => now('shared.signIn'), onClick: () => latest.current() },
      })
      return false
    }
    const open = (view: MemoryView = 'memories', query = '') => show({ type: 'panel', view, query })
    return {
      open: () => {
        if (admit()) open()
      },
      rememberMessage: (text, source) => {
        if (admit()) show({ type: 'remember', text, source })
      },
      run: async (command, text) => {
        if (!admit()) return false
        if (command === 'memories' || text === '') {
          open('memories', text)
          return true
        }
        try {
          const { forgetByText, remember } = await loadCommands()
          if (command === 'remember') return await remember(client, text)
          const result = await forgetByText(client, text)
          if (result === 'many') open('memories', text)
          return result !== null
        } catch {
          // If its code cannot be loaded nothing happened, and the text stays in the composer.
          notify.error((now) => now('shared.unreachable'), { id: 'memory' })
          return false
        }
      },
      onAnswer: (input) => (
        <UnseenBoundary>
          <Suspense>
            <AnswerMemories {...input} onOpen={open} />
          </Suspense>
        </UnseenBoundary>
      ),
    }
  }, [client])
  const close = () => show(null)
  const overlay = shown && (
    <Suspense>
      <LaterTexts part="panels">
        {shown.type === 'panel' ? (
          <MemoryDialog view={shown.view} query={shown.query} chatId={chatId} chatPath={chatPath} onClose={close} />
        ) : (
          <RememberDialog text={shown.text} source={shown.source} onClose={close} />
        )}
      </LaterTexts>
    </Suspense>
  )
  return { memory, overlay }
}
