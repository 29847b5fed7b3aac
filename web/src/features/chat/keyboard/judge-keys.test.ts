import { describe, expect, it } from 'vitest'
import { defaultKeys, type ShortcutKeys } from '../../../shared/keyboard/index.ts'
import { judgeKeys, withKeys } from './judge-keys.ts'

type Press = Parameters<typeof judgeKeys>[0]

const press = (fields: Partial<Press>): Press => ({
  code: '',
  key: '',
  keyCode: 0,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  repeat: false,
  ...fields,
})

const controlJ = press({ code: 'KeyJ', key: 'j', ctrlKey: true })

describe('new keys of a shortcut', () => {
  it('are identified by the key’s position and shown by its Latin letter', () => {
    expect(judgeKeys(controlJ, 'newChat', defaultKeys)).toEqual({
      type: 'free',
      keys: { key: 'KeyJ', sign: 'J', mod: true },
    })
    const french = press({ code: 'KeyQ', key: 'A', metaKey: true, shiftKey: true })
    expect(judgeKeys(french, 'newChat', defaultKeys)).toMatchObject({ keys: { key: 'KeyQ', sign: 'A', shift: true } })
    const arabic = press({ code: 'KeyJ', key: 'ت', ctrlKey: true })
    expect(judgeKeys(arabic, 'newChat', defaultKeys)).toMatchObject({ keys: { key: 'KeyJ', sign: 'J' } })
  })

  it('are shown by the key’s character without Shift', () => {
    const shifted = press({ code: 'Period', key: '>', ctrlKey: true, shiftKey: true })
    expect(judgeKeys(shifted, 'newChat', defaultKeys)).toMatchObject({ type: 'free', keys: { sign: '.' } })
    const german = press({ code: 'Semicolon', key: 'ö', ctrlKey: true })
    expect(judgeKeys(german, 'newChat', defaultKeys)).toMatchObject({ type: 'free', keys: { sign: 'Ö' } })
  })

  it.each<[string, Partial<Press>]>([
    ['a modifier by itself', { code: 'ControlLeft', key: 'Control', ctrlKey: true }],
    ['a key that is held down', { ...controlJ, repeat: true }],
    ['a text composition', { ...controlJ, isComposing: true }],
    ["Safari's end of a composition", { code: 'Enter', key: 'Enter', keyCode: 229 }],
    ['a dead key', { code: 'Quote', key: 'Dead', ctrlKey: true }],
    ['a touch keyboard, which names no place', { key: 'j', ctrlKey: true }],
  ])('are not taken from %s', (_, fields) => {
    expect(judgeKeys(press(fields), 'newChat', defaultKeys)).toEqual({ type: 'waiting' })
  })

  it('are cancelled by Escape alone', () => {
    const alone = { code: 'Escape', key: 'Escape' }
    expect(judgeKeys(press(alone), 'newChat', defaultKeys)).toEqual({ type: 'cancelled' })
    const shifted = press({ ...alone, shiftKey: true })
    expect(judgeKeys(shifted, 'newChat', defaultKeys)).toMatchObject({ type: 'taken', by: 'focusComposer' })
  })

  it.each<[string, Partial<Press>]>([
    ['a letter', { code: 'KeyJ', key: 'j' }],
    ['a capital letter', { code: 'KeyJ', key: 'J', shiftKey: true }],
    ['what AltGr writes on Windows', { code: 'KeyQ', key: '@', ctrlKey: true, altKey: true }],
    ['what Option writes on a Mac', { code: 'KeyK', key: '˚', altKey: true }],
    ['a function key', { code: 'F8', key: 'F8' }],
  ])('need Control or Command besides %s', (_, fields) => {
    expect(judgeKeys(press(fields), 'newChat', defaultKeys)).toMatchObject({ type: 'refused', reason: 'modifier' })
  })

  it('may be a single non-printing key if the present ones are', () => {
    expect(judgeKeys(press({ code: 'F8', key: 'F8' }), 'stop', defaultKeys)).toEqual({
      type: 'free',
      keys: { key: 'F8' },
    })
    const letter = press({ code: 'KeyJ', key: 'j' })
    expect(judgeKeys(letter, 'stop', defaultKeys)).toMatchObject({ type: 'refused', reason: 'modifier' })
  })

  it.each<[string, Partial<Press>]>([
    ['Control+W', { code: 'KeyW', key: 'w', ctrlKey: true }],
    ['Command+T', { code: 'KeyT', key: 't', metaKey: true }],
    ['Control+Shift+N', { code: 'KeyN', key: 'N', ctrlKey: true, shiftKey: true }],
    ['W on a French layout', { code: 'KeyZ', key: 'w', ctrlKey: true }],
    ['W on a Russian layout', { code: 'KeyW', key: 'ц', ctrlKey: true }],
    ['Control+1', { code: 'Digit1', key: '1', ctrlKey: true }],
    ['Control+Tab', { code: 'Tab', key: 'Tab', ctrlKey: true }],
    ['Control+Enter', { code: 'Enter', key: 'Enter', ctrlKey: true }],
    ['Alt+Arrow left', { code: 'ArrowLeft', key: 'ArrowLeft', altKey: true }],
    ['F5', { code: 'F5', key: 'F5', shiftKey: true }],
    ['Alt+F4', { code: 'F4', key: 'F4', altKey: true }],
    ['Control+Escape', { code: 'Escape', key: 'Escape', ctrlKey: true }],
  ])('cannot be %s, which browsers reserve', (_, fields) => {
    expect(judgeKeys(press(fields), 'newChat', defaultKeys)).toMatchObject({ type: 'refused', reason: 'reserved' })
  })

  it('can be swapped if another shortcut has them', () => {
    const controlK = press({ code: 'KeyK', key: 'k', ctrlKey: true })
    const verdict = judgeKeys(controlK, 'newChat', defaultKeys)
    expect(verdict).toMatchObject({ type: 'taken', by: 'palette', swappable: true })
    const keys = { key: 'KeyK', sign: 'K', mod: true }
    expect(withKeys(defaultKeys, 'newChat', keys)).toEqual({
      ...defaultKeys,
      newChat: keys,
      palette: defaultKeys.newChat,
    })
  })

  it('cannot be swapped for a single key if the other shortcut needs a modifier', () => {
    const controlK = press({ code: 'KeyK', key: 'k', ctrlKey: true })
    expect(judgeKeys(controlK, 'stop', defaultKeys)).toMatchObject({ type: 'taken', by: 'palette', swappable: false })
  })

  it('are accepted if they are the shortcut’s own', () => {
    const own = press({ code: 'KeyK', key: 'k', ctrlKey: true })
    expect(judgeKeys(own, 'palette', defaultKeys)).toMatchObject({ type: 'free' })
    expect(withKeys(defaultKeys, 'palette', { key: 'KeyK', sign: 'K', mod: true }).palette).toBe(defaultKeys.palette)
  })

  it('may combine a non-printing key with any modifier', () => {
    const controlF8 = press({ code: 'F8', key: 'F8', ctrlKey: true })
    expect(judgeKeys(controlF8, 'newChat', defaultKeys)).toEqual({ type: 'free', keys: { key: 'F8', mod: true } })
  })

  it('with Shift differ from those without', () => {
    const shifted = press({ code: 'Slash', key: '?', ctrlKey: true, shiftKey: true })
    const keys = { key: 'Slash', sign: '/', mod: true, shift: true }
    expect(judgeKeys(shifted, 'newChat', defaultKeys)).toEqual({ type: 'free', keys })
    expect(withKeys(defaultKeys, 'newChat', keys)).toEqual({ ...defaultKeys, newChat: keys })
    expect(withKeys(defaultKeys, 'sheet', keys).sheet).toEqual(keys)
  })

  it('of the sheet follow a layout that has the slash on a shifted key', () => {
    const german = press({ code: 'Digit7', key: '/', ctrlKey: true, shiftKey: true })
    expect(judgeKeys(german, 'newChat', defaultKeys)).toMatchObject({ type: 'taken', by: 'sheet' })
  })
})

it('a shortcut that is reset takes its default keys back from another one', () => {
  const swapped: ShortcutKeys = withKeys(defaultKeys, 'newChat', defaultKeys.palette)
  expect(withKeys(swapped, 'newChat', defaultKeys.newChat)).toEqual(defaultKeys)
  const slash = withKeys(withKeys(defaultKeys, 'sheet', { key: 'F8', mod: true }), 'newChat', {
    key: 'Slash',
    sign: '/',
    mod: true,
  })
  expect(withKeys(slash, 'sheet', defaultKeys.sheet)).toMatchObject({
    sheet: defaultKeys.sheet,
    newChat: { key: 'F8', mod: true },
  })
})
