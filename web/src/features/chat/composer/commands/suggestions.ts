import type { HierarchyModel, OwnFile } from '@parley/contracts'
import type { Translate } from '../../../../shared/i18n/index.ts'
import { type CommandName, commandsFor, type SlashCommand } from './slash-commands.ts'

/** A completion of the word being typed: a command after a slash, a model after an at sign, or one of the user's files after a hash sign. */
export type Suggestion = {
  /** Unique among the suggestions. */
  readonly key: string
  /** The text it stands for. */
  readonly word: string
  readonly description: string
} & (
  | { readonly type: 'command'; readonly name: CommandName }
  | { readonly type: 'model'; readonly id: string }
  | { readonly type: 'file'; readonly file: OwnFile }
)

const mostModels = 8
/** An at sign at the start of a word, followed by part of a model's name. */
const atModel = /(?:^|\s)@([\w.-]*)$/
/** A hash sign at the start of a word, followed by part of a file's name; with a space or further hash signs it is a Markdown heading. */
const hashFile = /(?:^|\s)#([^\s#]*)$/

/** The suggestions for a text, in the order of the menu; guests are offered no models. */
export function suggestionsFor(
  text: string,
  offered: { readonly commands: readonly SlashCommand[]; readonly models: readonly HierarchyModel[] },
  t: Translate,
): readonly Suggestion[] {
  const typed = atModel.exec(text)?.[1]?.toLowerCase()
  if (typed === undefined) {
    return commandsFor(text, offered.commands).map(({ name, description }) => {
      return { key: name, type: 'command', name, word: `/${name}`, description: t(description) }
    })
  }
  return offered.models
    .filter(({ id, name, locked }) => !locked && `${id} ${name}`.toLowerCase().includes(typed))
    .slice(0, mostModels)
    .map(({ id, name, creditsPerMessage: count }) => {
      return { key: id, type: 'model', id, word: `@${name}`, description: t('models.picker.price', { count }) }
    })
}

/** The part of a file's name after a hash sign; undefined if there is none. */
export const fileWordOf = (text: string): string | undefined => hashFile.exec(text)?.[1]

/** The text without the word that selected a model or a file. */
export const withoutWord = (text: string): string => text.replace(atModel, '').replace(hashFile, '')
