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

/** The commands in display order. */
export const commandEntries = [
  {
    name: 'newChat',
    label: 'history.new',
    icon: SquarePen,
  },
  { name: 'info', label: 'palette.command.info', icon: Info },
  { name: 'memory', label: 'palette.command.memory', icon: Brain },
  { name: 'export', label: 'palette.command.export', icon: Download },
  { name: 'print', label: 'palette.command.print', icon: Printer },
  {
    name: 'copyAnswer',
    label: 'composer.keys.copyAnswer',
    icon: ClipboardCopy,
  },
  {
    name: 'copyCode',
    label: 'composer.keys.copyCode',
    icon: Code,
  },
  {
    name: 'focusComposer',
    label: 'palette.command.focusComposer',
    icon: TextCursorInput,
  },
  {
    name: 'toggleSidebar',
    label: 'composer.keys.toggleSidebar',
    icon: PanelLeft,
  },
  { name: 'sheet', label: 'palette.command.sheet', icon: Keyboard },
] as const satisfies readonly { readonly name: string; readonly label: MessageId; readonly icon: LucideIcon }[]

export type CommandName = (typeof commandEntries)[number]['name']

export type CommandRunner = Readonly<Record<CommandName, () => unknown>>
