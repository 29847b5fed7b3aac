import { readdirSync, readFileSync } from 'node:fs'
import { type I18n, setupI18n } from '@lingui/core'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'

/** The English texts, for tests without a build that compiles the catalogues. */
export function givenEnglish(): I18n {
  const folder = new URL('../locales/en/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'))
  const texts = files.map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')))
  const i18n = setupI18n()
  i18n.setMessagesCompiler(compileMessageOrThrow)
  i18n.loadAndActivate({ locale: 'en', messages: Object.assign({}, ...texts) })
  return i18n
}
