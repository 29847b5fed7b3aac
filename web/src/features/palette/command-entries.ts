import {
  Brain,
  ClipboardCopy,
  Code,
  Download,
  Info,
  Keyboard,
  type LucideIcon,
  PanelLeft,
  Printer,
  SquarePen,
  TextCursorInput,
} from 'lucide-react'
import type { MessageId } from '../../shared/i18n/index.ts'

/** Commands that the palette passes to the page. */
export type CommandName =
  | 'newChat'
  | 'focusComposer'
  | 'copyAnswer'
  | 'copyCode'
  | 'info'
  | 'memory'
  | 'export'
  | 'print'
  | 'toggleSidebar'
  | 'sheet'

/** Runs the commands. */
export type CommandRunner = Readonly<Record<CommandName, () => unknown>>

interface CommandEntry {
  readonly name: CommandName
  readonly label: MessageId
  readonly icon: LucideIcon
}

/** The commands in display order. */
export const commandEntries: readonly CommandEntry[] = [
  {
    name: 'newChat',
    label: 'palette.command.newChat',
    icon: SquarePen,
  },
  { name: 'info', label: 'palette.command.info', icon: Info },
  { name: 'memory', label: 'palette.command.memory', icon: Brain },
  { name: 'export', label: 'palette.command.export', icon: Download },
  { name: 'print', label: 'palette.command.print', icon: Printer },
  {
    name: 'copyAnswer',
    label: 'palette.command.copyAnswer',
    icon: ClipboardCopy,
  },
  {
    name: 'copyCode',
    label: 'palette.command.copyCode',
    icon: Code,
  },
  {
    name: 'focusComposer',
    label: 'palette.command.focusComposer',
    icon: TextCursorInput,
  },
  {
    name: 'toggleSidebar',
    label: 'palette.command.toggleSidebar',
    icon: PanelLeft,
  },
  { name: 'sheet', label: 'palette.command.sheet', icon: Keyboard },
]
