import type { Attachment, ChatMode } from '@parley/contracts'
import { maxMessageLength } from '@parley/contracts/constants'
import { useEffect, useMemo, useState } from 'react'
import type { ChatModels } from '../chat-models.ts'
import type { MemoryCommand, MemorySlot } from '../memory-slot.ts'
import type { SendResult } from '../thread/session-core.ts'
import type { SendOptions } from '../use-actions.ts'
import { canRead } from './attachments/attachment-rules.ts'
import {
  type CommandName,
  parseCommand,
  refusalOf,
  type SlashCommand,
  slashCommands,
} from './commands/slash-commands.ts'
import { type Suggestion, withoutWord } from './commands/suggestions.ts'
import type { ComposerDrafts } from './composer-drafts.ts'
import type { DraftExtras } from './draft-extras.ts'
import { newChatDraft } from './draft-store.ts'
import { useModes } from './modes/use-modes.ts'
import { withPasted } from './pasted-text.ts'
import { type Gate, sendBlockerOf } from './send-blocker.ts'
import { type Attaching, useAttaching } from './use-attaching.ts'
import { useDraft, useExtras } from './use-draft.ts'

/** UTF-16 code units of an image prompt. */
const maxPromptLength = 4_000

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

/** The draft, what blocks sending it, and the actions on it. */
export function useComposer(input: ComposerInput) {
  const { chatId, drafts, guest, busy, models } = input
  const key = chatId ?? newChatDraft
  const [text, changeText] = useDraft(drafts.texts, key)
  const [extras, changeExtras] = useExtras(drafts.extras, key)
  const attaching = useAttaching(drafts, key, guest, input.onSignIn)
  const offered = useModes()
  const imageReady = !guest && models.images.some(({ locked }) => !locked)
  const image = extras.image && imageReady
  const modes = useMemo(() => extras.modes.filter((mode) => offered.includes(mode)), [extras.modes, offered])
  const commands = offeredCommands(offered, imageReady, chatId !== null)
  const [queued, setQueued] = useState(false)
  const message = image ? text : withPasted(text, extras.pasted)
  const writing = {
    blank: message.trim() === '',
    excess: message.length - (image ? maxPromptLength : maxMessageLength),
    attachments: extras.attachments.length,
    ...progressOf(attaching),
    unreadable: models.model !== null && !canRead(models.model, extras.attachments),
    image,
    gate: image ? imageGate(models) : input.gate,
  }
  const blocker = sendBlockerOf(writing)
  const refused = image ? null : refusalOf(text, commands, { guest, imagesLocked: models.images.length > 0 })
  const ready = !writing.blank && blocker === null && refused === null
  const clear = () => {
    changeText(() => '')
    changeExtras((now) => ({ ...now, attachments: [], pasted: [], image: false }))
    attaching.dismiss()
  }
  const deliver = (words: string, withModes: readonly ChatMode[]) => {
    const attachments = extras.attachments
    if (input.onSend(words, { attachments, modes: withModes }) !== 'sent') return
    drafts.prompts.add(words)
    clear()
  }
  const run = (name: CommandName, rest: string) => {
    if (name === 'export' || name === 'help') {
      changeText(() => '')
      if (name === 'export') input.onExport(rest)
      else input.onHelp()
    } else if (isMemoryCommand(name)) void runMemory(name, rest)
    else if (name === 'image') {
      if (rest === '') changeText(() => '')
      if (rest === '') changeExtras((now) => ({ ...now, image: true }))
      else if (!busy && input.onImage(rest, models.image?.id) === 'sent') clear()
    } else runMode(modeOf[name], rest)
  }
  const runMemory = async (name: MemoryCommand, rest: string) => {
    if (name === 'remember' && rest === '') return changeText(() => '/remember ')
    changeText(() => '')
    // A failed command is put back, unless another text was entered meanwhile.
    if (!(await input.onMemory(name, rest))) changeText((now) => (now === '' ? `/${name} ${rest}`.trim() : now))
  }
  /** Applies a suggestion: selects the model, attaches the file, runs the command, or inserts it if it needs a text. */
  const pick = (suggestion: Suggestion) => {
    if (suggestion.type !== 'command') {
      if (suggestion.type === 'model') models.choose(suggestion.id)
      else attaching.reuse(suggestion.file)
      return changeText(withoutWord)
    }
    const { name } = suggestion
    if (commands.some((command) => command.name === name && command.needsText)) changeText(() => `/${name} `)
    else run(name, '')
  }
  const runMode = (mode: ChatMode, rest: string) => {
    const next = [...new Set([...modes, mode])]
    changeExtras((now) => ({ ...now, modes: next, image: false }))
    if (rest === '') changeText(() => '')
    else if (ready && !busy && input.gate === 'open') deliver(withPasted(rest, extras.pasted), next)
    else changeText(() => rest)
  }
  const send = () => {
    const command = parseCommand(text, commands)
    if (command) return run(command.name, command.rest)
    if (!ready || busy) return
    setQueued(writing.gate === 'waiting')
    if (writing.gate !== 'open') return
    if (!image) deliver(message, modes)
    else if (input.onImage(text.trim(), models.image?.id) === 'sent') clear()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the message is sent by the change of the gate alone
  useEffect(() => {
    if (queued && writing.gate !== 'waiting') send()
  }, [writing.gate])
  const note =
    refused?.note ??
    blocker ??
    (writing.blank ? null : busy ? 'chat.composer.busy' : queued ? 'chat.composer.queued' : null)
  return {
    text,
    extras,
    modes,
    image,
    imageReady,
    offered,
    commands,
    attaching,
    ready,
    note,
    refusedCommand: refused?.command ?? '',
    excess: writing.excess,
    unreadable: writing.unreadable,
    send,
    pick,
    clear,
    edit: (next: (now: string) => string) => {
      setQueued(false)
      changeText(next)
    },
    ...extrasActions(changeExtras),
  }
}

/** State and actions of the composer. */
export type ComposerState = ReturnType<typeof useComposer>

const isMemoryCommand = (name: CommandName): name is MemoryCommand =>
  name === 'remember' || name === 'memories' || name === 'forget'

const modeOf = { search: 'webSearch', study: 'study', finance: 'finance' } as const satisfies Partial<
  Record<CommandName, ChatMode>
>

function offeredCommands(modes: readonly ChatMode[], image: boolean, saved: boolean): readonly SlashCommand[] {
  return slashCommands.filter(({ name }) => {
    if (name === 'image') return image
    if (name === 'export') return saved
    return name === 'help' || isMemoryCommand(name) || modes.includes(modeOf[name])
  })
}

const imageGate = ({ image }: ChatModels): Gate => (image === null ? 'closed' : 'open')

const progressOf = ({ uploads }: Attaching) => ({
  uploading: uploads.some(({ failure }) => failure === null),
  uploadFailed: uploads.some(({ failure }) => failure !== null),
})

function extrasActions(change: (next: (now: DraftExtras) => DraftExtras) => void) {
  return {
    toggleMode: (mode: ChatMode) =>
      change((now) => ({
        ...now,
        image: false,
        modes: now.modes.includes(mode) ? now.modes.filter((one) => one !== mode) : [...now.modes, mode],
      })),
    setImage: (image: boolean) => change((now) => ({ ...now, image })),
    removeAttachment: ({ id }: Attachment) =>
      change((now) => ({ ...now, attachments: now.attachments.filter((one) => one.id !== id) })),
    attach: (attachments: readonly Attachment[], modes: readonly ChatMode[]) =>
      change((now) => ({ ...now, attachments: [...attachments, ...now.attachments], modes })),
    addPasted: (text: string) => change((now) => ({ ...now, pasted: [...now.pasted, text] })),
    removePasted: (index: number) => change((now) => ({ ...now, pasted: now.pasted.filter((_, at) => at !== index) })),
  }
}
