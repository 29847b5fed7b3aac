import type { ChatMode } from '@parley/contracts'
import { useEffect, useState } from 'react'
import { commandActions } from './commands/command-actions.ts'
import { parseCommand } from './commands/slash-commands.ts'
import type { ComposerInput } from './composer-input.ts'
import { extrasActions } from './draft-extras.ts'
import { useMessageDraft } from './use-message-draft.ts'

/** The draft, what blocks sending it, and the actions on it. */
export function useComposer(input: ComposerInput) {
  const { busy, chatId, drafts, models } = input
  const draft = useMessageDraft(input)
  const { text, message, image, modes, ready, blocker, refused, gate } = draft
  const [queued, setQueued] = useState<Pick<ComposerInput, 'chatId'> | null>(null)
  // Leaving the chat takes the message back: another chat's draft must not be sent instead.
  if (queued && queued.chatId !== chatId) setQueued(null)
  const deliver = (words: string, withModes: readonly ChatMode[]) => {
    if (input.onSend(words, { attachments: draft.extras.attachments, modes: withModes }) !== 'sent') return
    drafts.prompts.add(words)
    draft.clear()
  }
  const { run, pick } = commandActions(input, draft, deliver)
  const send = () => {
    const command = parseCommand(text, draft.commands)
    if (command) return run(command.name, command.rest)
    if (!ready || busy) return
    setQueued(gate === 'waiting' ? { chatId } : null)
    if (gate !== 'open') return
    if (!image) deliver(message, modes)
    else if (input.onImage(text.trim(), models.image.model?.id) === 'sent') draft.clear()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the message is sent by the change of the gate alone
  useEffect(() => {
    if (queued && gate !== 'waiting') send()
  }, [gate])
  const note =
    refused?.note ??
    blocker ??
    (draft.blank ? null : busy ? 'chat.composer.busy' : queued ? 'chat.composer.queued' : null)
  return {
    ...draft,
    note,
    refusedCommand: refused?.command ?? '',
    send,
    pick,
    edit: (next: (now: string) => string) => {
      setQueued(null)
      draft.changeText(next)
    },
    ...extrasActions(draft.changeExtras),
  }
}

export type ComposerState = ReturnType<typeof useComposer>
