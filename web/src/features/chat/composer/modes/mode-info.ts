import type { ChatMode } from '@parley/contracts'
import { ChartCandlestick, Globe, GraduationCap, type LucideIcon } from 'lucide-react'
import type { MessageId } from '../../../../shared/i18n/index.ts'

interface ModeInfo {
  readonly mode: ChatMode
  readonly icon: LucideIcon
  readonly name: MessageId
  readonly hint: MessageId
}

/** The modes in the order of the menu. */
export const modeInfos: readonly ModeInfo[] = [
  { mode: 'webSearch', icon: Globe, name: 'composer.mode.webSearch', hint: 'composer.mode.webSearchHint' },
  { mode: 'study', icon: GraduationCap, name: 'composer.mode.study', hint: 'composer.mode.studyHint' },
  { mode: 'finance', icon: ChartCandlestick, name: 'composer.mode.finance', hint: 'composer.mode.financeHint' },
]
