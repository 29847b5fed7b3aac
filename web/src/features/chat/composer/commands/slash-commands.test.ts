import { describe, expect, it } from 'vitest'
import { commandsFor, offeredCommands, parseCommand, refusalOf, slashCommands } from './slash-commands.ts'

const named = (text: string) => commandsFor(text, slashCommands).map(({ name }) => name)

describe('the menu of commands', () => {
  it('opens only for a slash and the beginning of a name', () => {
    expect(named('/')).toHaveLength(9)
    expect(named('/S')).toEqual(['search', 'study'])
    expect(named('/re')).toEqual(['remember'])
    expect(named('/image a')).toEqual([])
    expect(named('see /')).toEqual([])
    expect(named('')).toEqual([])
  })

  it('offers only what this installation and the chat have', () => {
    const offered = (...of: Parameters<typeof offeredCommands>) => offeredCommands(...of).map(({ name }) => name)
    const always = ['remember', 'memories', 'forget', 'help']
    expect(offered([], false, false)).toEqual(always)
    expect(offered(['study'], true, true)).toEqual(['image', 'study', ...always.slice(0, 3), 'export', 'help'])
  })
})

describe('a command', () => {
  it('is parsed with its argument, which may have several lines', () => {
    expect(parseCommand('/image a cat\nin the rain ', slashCommands)).toEqual({
      name: 'image',
      rest: 'a cat\nin the rain',
    })
    expect(parseCommand(' /HELP', slashCommands)).toEqual({ name: 'help', rest: '' })
  })

  it('is not recognised in a path, an unknown word or a name that is not offered', () => {
    expect(parseCommand('/etc/hosts', slashCommands)).toBeNull()
    expect(parseCommand('/recall this', slashCommands)).toBeNull()
    expect(parseCommand('/image x', [])).toBeNull()
  })
})

describe('an unavailable command', () => {
  const offered = slashCommands.filter(({ name }) => name === 'help' || name === 'study')
  const refused = (text: string, guest = false, imagesLocked = false) =>
    refusalOf(text, offered, { guest, imagesLocked })?.note ?? null

  it('is refused as switched off, or with what it needs', () => {
    expect(refused('/finance AAPL today')).toBe('composer.commands.off')
    expect(refused('/Search')).toBe('composer.commands.off')
    expect(refused('/image a cat')).toBe('composer.commands.off')
    expect(refused('/image a cat', false, true)).toBe('composer.note.noImageModel')
    expect(refused('/finance AAPL', true)).toBe('composer.commands.signIn')
    expect(refused('/export')).toBe('composer.commands.nothingToExport')
    expect(refusalOf('/finance AAPL', offered, { guest: false, imagesLocked: false })?.command).toBe('/finance')
  })

  it('is neither an available command nor a text that only begins with a slash', () => {
    expect([refused('/help'), refused('/study algebra'), refused('/etc/hosts'), refused('/recall this')]).toEqual([
      ...[null, null, null, null],
    ])
    expect(refused('what does /finance do?')).toBeNull()
  })
})
