import type { HierarchyModel } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import type { Translate } from '../../../../shared/i18n/index.ts'
import { slashCommands } from './slash-commands.ts'
import { fileWordOf, suggestionsFor, withoutWord } from './suggestions.ts'

const model = (id: string, name: string, locked = false) =>
  ({ id, name, locked, creditsPerMessage: 1 }) as HierarchyModel
const models = [model('v3', 'DeepSeek v3'), model('gpt-5.5', 'GPT-5.5'), model('gpt-old', 'GPT Old', true)]
const t = ((id: string) => id) as Translate
const words = (text: string) => suggestionsFor(text, { commands: slashCommands, models }, t).map(({ word }) => word)

describe('suggestions for a text', () => {
  it('are commands after a slash at its start', () => {
    expect(words('/st')).toEqual(['/study'])
    expect(words('a /st')).toEqual([])
  })

  it('are usable models after an at sign at the start of a word', () => {
    expect(words('@')).toEqual(['@DeepSeek v3', '@GPT-5.5'])
    expect(words('Why? @gp')).toEqual(['@GPT-5.5'])
    expect(words('mail@gp')).toEqual([])
    expect(words('@gp and more')).toEqual([])
  })

  it('are removed from the text once a model or a file is picked', () => {
    expect(withoutWord('Why? @gp')).toBe('Why?')
    expect(withoutWord('@gp')).toBe('')
    expect(withoutWord('Read\n#plan')).toBe('Read')
    expect(withoutWord('# Title #plan')).toBe('# Title')
  })
})

describe('the search word for a file', () => {
  it.each([
    ['#', ''],
    ['Look at #plan-2.pdf', 'plan-2.pdf'],
    ['Überblick\n#Fuß', 'Fuß'],
    ['#123', '123'],
  ])('follows a hash sign at the start of a word: %j', (text, word) => {
    expect(fileWordOf(text)).toBe(word)
  })

  it.each(['# ', '# Title', '##', '## Title', 'C#', 'see a#b', '#plan and', 'text', ''])('is absent in %j', (text) => {
    expect(fileWordOf(text)).toBeUndefined()
  })
})
