export { openI18n, T, TextProvider, type Translate, useText } from './i18n.tsx'
export type { MessageId } from './messages.ts'
