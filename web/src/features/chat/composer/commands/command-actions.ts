import type { ChatMode } from '@parley/contracts'
import type { MemoryCommand } from '../../memory-slot.ts'
import type { ComposerInput } from '../composer-input.ts'
import { withPasted } from '../pasted-text.ts'
import type { MessageDraft } from '../use-message-draft.ts'
import { type CommandName, isMemoryCommand, modeOf } from './slash-commands.ts'
import { type Suggestion, withoutWord } from './suggestions.ts'

/** Runs slash commands, and applies suggestions, to the draft; `deliver` sends a message in modes. */
export function commandActions(
  input: ComposerInput,
  draft: MessageDraft,
  deliver: (text: string, modes: readonly ChatMode[]) => void,
) {
  const { busy, models } = input
  const { changeText, changeExtras } = draft
  const run = (name: CommandName, rest: string) => {
    if (name === 'export' || name === 'help') {
      changeText(() => '')
      if (name === 'export') input.onExport(rest)
      else input.onHelp()
    } else if (isMemoryCommand(name)) void runMemory(name, rest)
    else if (name === 'image') runImage(rest)
    else runMode(modeOf[name], rest)
  }
  const runMemory = async (name: MemoryCommand, rest: string) => {
    if (name === 'remember' && rest === '') return changeText(() => '/remember ')
    changeText(() => '')
    // A failed command is put back, unless another text was entered meanwhile.
    if (!(await input.onMemory(name, rest))) changeText((now) => (now === '' ? `/${name} ${rest}`.trim() : now))
  }
  const runImage = (prompt: string) => {
    if (prompt === '') {
      changeText(() => '')
      changeExtras((now) => ({ ...now, image: true }))
    } else if (!busy && input.onImage(prompt, models.image.model?.id) === 'sent') draft.clear()
  }
  const runMode = (mode: ChatMode, rest: string) => {
    const modes = [...new Set([...draft.modes, mode])]
    changeExtras((now) => ({ ...now, modes, image: false }))
    if (rest === '') changeText(() => '')
    else if (draft.ready && !busy && input.gate === 'open') deliver(withPasted(rest, draft.extras.pasted), modes)
    else changeText(() => rest)
  }
  /** Applies a suggestion: selects the model, attaches the file, runs the command, or inserts it if it needs a text. */
  const pick = (suggestion: Suggestion) => {
    if (suggestion.type !== 'command') {
      if (suggestion.type === 'model') models.text.choose(suggestion.id)
      else draft.attaching.reuse(suggestion.file)
      return changeText(withoutWord)
    }
    const { name } = suggestion
    if (draft.commands.some((command) => command.name === name && command.needsText)) changeText(() => `/${name} `)
    else run(name, '')
  }
  return { run, pick }
}
