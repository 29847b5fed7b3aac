import { describe, expect, it } from 'vitest'
import { commandsFor, parseCommand, slashCommands } from './slash-commands.ts'

const named = (text: string) => commandsFor(text, slashCommands).map(({ name }) => name)

describe('the menu of commands', () => {
  it('is there for a slash and the beginning of a name only', () => {
    expect(named('/')).toHaveLength(9)
    expect(named('/S')).toEqual(['search', 'study'])
    expect(named('/re')).toEqual(['remember'])
    expect(named('/image a')).toEqual([])
    expect(named('see /')).toEqual([])
    expect(named('')).toEqual([])
  })
})

describe('a command', () => {
  it('comes with what stands behind it, over several lines', () => {
    expect(parseCommand('/image a cat\nin the rain ', slashCommands)).toEqual({
      name: 'image',
      rest: 'a cat\nin the rain',
    })
    expect(parseCommand(' /HELP', slashCommands)).toEqual({ name: 'help', rest: '' })
  })

  it('is no path, no unknown word and nothing that is not offered', () => {
    expect(parseCommand('/etc/hosts', slashCommands)).toBeNull()
    expect(parseCommand('/recall this', slashCommands)).toBeNull()
    expect(parseCommand('/image x', [])).toBeNull()
  })
})
