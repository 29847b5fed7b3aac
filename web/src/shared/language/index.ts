export { LanguageSelect } from './language-select.tsx'
export { followLocale } from './synced-locale.ts'
export { useLanguage } from './use-language.ts'
