import type { ChatMode } from '@parley/contracts'
import type { MessageId } from '../../../../shared/i18n/index.ts'
import type { MemoryCommand } from '../../memory-slot.ts'

export type CommandName = 'image' | 'search' | 'study' | 'finance' | MemoryCommand | 'export' | 'help'

/** A command as the menu shows it. */
export interface SlashCommand {
  readonly name: CommandName
  readonly description: MessageId
  /** It requires an argument. */
  readonly needsText?: true
}

/** All commands, in the order of the menu. */
export const slashCommands: readonly SlashCommand[] = [
  { name: 'image', description: 'composer.commands.image' },
  { name: 'search', description: 'composer.commands.search' },
  { name: 'study', description: 'composer.commands.study' },
  { name: 'finance', description: 'composer.commands.finance' },
  { name: 'remember', description: 'composer.commands.remember', needsText: true },
  { name: 'memories', description: 'composer.commands.memories' },
  { name: 'forget', description: 'composer.commands.forget', needsText: true },
  { name: 'export', description: 'composer.commands.export' },
  { name: 'help', description: 'composer.commands.help' },
]

export const isMemoryCommand = (name: CommandName): name is MemoryCommand =>
  name === 'remember' || name === 'memories' || name === 'forget'

/** The modes of the commands that switch one on. */
export const modeOf = { search: 'webSearch', study: 'study', finance: 'finance' } as const satisfies Partial<
  Record<CommandName, ChatMode>
>

/** The commands that are available: for images, for a chat that is saved, and for each mode. */
export function offeredCommands(modes: readonly ChatMode[], image: boolean, saved: boolean): readonly SlashCommand[] {
  return slashCommands.filter(({ name }) => {
    if (name === 'image') return image
    if (name === 'export') return saved
    return name === 'help' || isMemoryCommand(name) || modes.includes(modeOf[name])
  })
}

/** The commands that complete a slash and the beginning of a name, with nothing after it. */
export function commandsFor(text: string, offered: readonly SlashCommand[]): readonly SlashCommand[] {
  const typed = /^\/(\w*)$/.exec(text)?.[1]
  return typed === undefined ? [] : offered.filter(({ name }) => name.startsWith(typed.toLowerCase()))
}

/** The command in a message, with its argument; null for any other text, such as a path. */
export function parseCommand(
  text: string,
  offered: readonly SlashCommand[],
): { readonly name: CommandName; readonly rest: string } | null {
  const match = /^\/(\w+)(?:\s+([\s\S]*))?$/.exec(text.trim())
  const command = offered.find(({ name }) => name === match?.[1]?.toLowerCase())
  return command ? { name: command.name, rest: match?.[2]?.trim() ?? '' } : null
}

/** Why a command is unavailable: it needs an account, a chat with messages, or a feature that is switched off. */
export function refusalOf(
  text: string,
  offered: readonly SlashCommand[],
  { guest, imagesLocked }: { readonly guest: boolean; readonly imagesLocked: boolean },
): { readonly command: string; readonly note: MessageId } | null {
  const name = parseCommand(text, slashCommands)?.name
  if (name === undefined || offered.some((command) => command.name === name)) return null
  const command = `/${name}`
  if (name === 'export') return { command, note: 'composer.commands.nothingToExport' }
  if (guest) return { command, note: 'composer.commands.signIn' }
  return { command, note: name === 'image' && imagesLocked ? 'composer.note.noImageModel' : 'composer.commands.off' }
}
