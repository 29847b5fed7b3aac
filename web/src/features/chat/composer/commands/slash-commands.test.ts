import { describe, expect, it } from 'vitest'
import { commandsFor, parseCommand, refusalOf, slashCommands } from './slash-commands.ts'

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

describe('a command that cannot be carried out', () => {
  const offered = slashCommands.filter(({ name }) => name === 'help' || name === 'study')
  const refused = (text: string, guest = false, imagesLocked = false) =>
    refusalOf(text, offered, { guest, imagesLocked })?.note ?? null

  it('says that it is switched off, or what it needs', () => {
    expect(refused('/finance AAPL today')).toBe('composer.commands.off')
    expect(refused('/Search')).toBe('composer.commands.off')
    expect(refused('/image a cat')).toBe('composer.commands.off')
    expect(refused('/image a cat', false, true)).toBe('composer.note.noImageModel')
    expect(refused('/finance AAPL', true)).toBe('composer.commands.signIn')
    expect(refused('/export')).toBe('composer.commands.nothingToExport')
    expect(refusalOf('/finance AAPL', offered, { guest: false, imagesLocked: false })?.command).toBe('/finance')
  })

  it('is none that is offered, and no text that only begins with a slash', () => {
    expect([refused('/help'), refused('/study algebra'), refused('/etc/hosts'), refused('/recall this')]).toEqual([
      ...[null, null, null, null],
    ])
    expect(refused('what does /finance do?')).toBeNull()
  })
})
