export {
  LaterTexts,
  localeKey,
  openI18n,
  T,
  TextProvider,
  type Translate,
  textsOf,
  useInterfaceLocale,
  useLaterTexts,
  useText,
  type Wording,
} from './i18n.tsx'
export { gapAfter, inSequence } from './in-sequence.ts'
export { languageNames, offeredLocales, parseLocale } from './locale.ts'
export type { MessageId } from './messages.ts'
export type { LaterPart } from './texts.ts'
