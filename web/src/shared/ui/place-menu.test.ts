import { expect, it } from 'vitest'
import { placeBox } from './place-menu.ts'

const box = (top: number, left: number) => ({ top, bottom: top + 36, left, right: left + 36 })

it('a menu opens below its anchor, or above where there is more room', () => {
  expect(placeBox(box(10, 20), 1000, 800, 'start', false)).toEqual({ top: 52, left: 20, maxHeight: 742 })
  expect(placeBox(box(740, 20), 1000, 800, 'start', false)).toEqual({ bottom: 66, left: 20, maxHeight: 728 })
  // On a phone, the longest menu is higher than what is left below.
  expect(placeBox(box(480, 20), 390, 844, 'start', false)).toEqual({ bottom: 370, left: 20, maxHeight: 468 })
})

it('a menu is aligned to its edge, mirrored in right-to-left text', () => {
  expect(placeBox(box(10, 900), 1000, 800, 'end', false)).toMatchObject({ right: 64 })
  expect(placeBox(box(10, 900), 1000, 800, 'start', true)).toMatchObject({ right: 64 })
  expect(placeBox(box(10, 20), 1000, 800, 'end', true)).toMatchObject({ left: 20 })
})

it('a menu stays inside a narrow window', () => {
  expect(placeBox(box(10, 200), 390, 800, 'start', false)).toMatchObject({ left: 96 })
  expect(placeBox(box(10, 150), 390, 800, 'end', false)).toMatchObject({ right: 96 })
})
