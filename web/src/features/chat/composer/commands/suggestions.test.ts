import type { HierarchyModel } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import type { Translate } from '../../../../shared/i18n/index.ts'
import { slashCommands } from './slash-commands.ts'
import { suggestionsFor, withoutModel } from './suggestions.ts'

const model = (id: string, name: string, locked = false) =>
  ({ id, name, locked, creditsPerMessage: 1 }) as HierarchyModel
const models = [model('v3', 'DeepSeek v3'), model('gpt-5.5', 'GPT-5.5'), model('gpt-old', 'GPT Old', true)]
const t = ((id: string) => id) as Translate
const words = (text: string) => suggestionsFor(text, { commands: slashCommands, models }, t).map(({ word }) => word)

describe('what is suggested for a text', () => {
  it('is a command behind a slash that begins it', () => {
    expect(words('/st')).toEqual(['/study'])
    expect(words('a /st')).toEqual([])
  })

  it('is a model that can be used, behind an at sign that begins a word', () => {
    expect(words('@')).toEqual(['@DeepSeek v3', '@GPT-5.5'])
    expect(words('Why? @gp')).toEqual(['@GPT-5.5'])
    expect(words('mail@gp')).toEqual([])
    expect(words('@gp and more')).toEqual([])
  })

  it('leaves the text alone once a model was taken', () => {
    expect(withoutModel('Why? @gp')).toBe('Why?')
    expect(withoutModel('@gp')).toBe('')
  })
})
