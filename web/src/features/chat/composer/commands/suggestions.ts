import type { HierarchyModel, OwnFile } from '@parley/contracts'
import type { Translate } from '../../../../shared/i18n/index.ts'
import { type CommandName, commandsFor, type SlashCommand } from './slash-commands.ts'

/** What a word that is being written could become: a command behind a slash, a model behind an at sign, or a file of one's own behind a hash sign. */
export type Suggestion = {
  /** Unlike that of any other. */
  readonly key: string
  /** What would be written. */
  readonly word: string
  readonly description: string
} & (
  | { readonly type: 'command'; readonly name: CommandName }
  | { readonly type: 'model'; readonly id: string }
  | { readonly type: 'file'; readonly file: OwnFile }
)

/** Models that are suggested at once. */
const mostModels = 8
/** An at sign at the beginning of a word, with the beginning of a model's name behind it. */
const atModel = /(?:^|\s)@([\w.-]*)$/
/** A hash sign at the beginning of a word, with a part of a file's name behind it: a space makes a heading of it, as further hash signs do. */
const hashFile = /(?:^|\s)#([^\s#]*)$/

/** The suggestions for a text, in the order of the menu; guests have no models to choose from. */
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

/** The part of a file's name that is being written behind a hash sign; undefined where there is none. */
export const fileWordOf = (text: string): string | undefined => hashFile.exec(text)?.[1]

/** The text without the word by which a model or a file was chosen. */
export const withoutWord = (text: string): string => text.replace(atModel, '').replace(hashFile, '')
