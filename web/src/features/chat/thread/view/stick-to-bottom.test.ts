import { expect, it } from 'vitest'
import { scrollsUp, staysStuck } from './stick-to-bottom.ts'

const at = (top: number, content = 2000, view = 500) => ({ top, content, view })

it('the view follows the end while the content grows', () => {
  expect(staysStuck(true, at(1500), at(1500, 2400))).toBe(true)
})

it('the view stops following when the user scrolls up', () => {
  expect(staysStuck(true, at(1500), at(1300))).toBe(false)
})

it('the view stops following at the first pixels of a smooth scroll, while the end is still near', () => {
  expect(staysStuck(true, at(1500), at(1490))).toBe(false)
  expect(staysStuck(false, at(1490), at(1490, 2020))).toBe(false)
})

it('shrinking content or a smaller view does not count as scrolling up', () => {
  expect(staysStuck(true, at(1500), at(1300, 1900))).toBe(true)
  expect(staysStuck(true, at(1500), at(1400, 2000, 400))).toBe(true)
})

it('the view follows again only at the end', () => {
  expect(staysStuck(false, at(1000), at(1200))).toBe(false)
  expect(staysStuck(false, at(1200), at(1480))).toBe(true)
})

it('the keys that scroll up are the arrow, Page Up, Home and Shift+Space, except in a text field', () => {
  const press = (key: string, shiftKey = false, inTextField = false) => scrollsUp({ key, shiftKey, inTextField })
  expect(['ArrowUp', 'PageUp', 'Home'].map((key) => press(key))).toEqual([true, true, true])
  expect([press(' ', true), press(' ')]).toEqual([true, false])
  expect(['ArrowDown', 'PageDown', 'End', 'u'].map((key) => press(key))).toEqual([false, false, false, false])
  expect([press('Home', false, true), press(' ', true, true)]).toEqual([false, false])
})
