export { DeferredTexts, openI18n, T, TextProvider, type Translate, usePreparedTexts, useText } from './i18n.tsx'
export type { MessageId } from './messages.ts'
