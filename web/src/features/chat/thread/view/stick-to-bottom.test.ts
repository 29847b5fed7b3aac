import { expect, it } from 'vitest'
import { staysStuck } from './stick-to-bottom.ts'

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
