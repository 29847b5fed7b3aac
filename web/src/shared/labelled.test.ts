import { expect, it } from 'vitest'
import { labelled } from './labelled.ts'

it.each([
  ['en', 'Theme', 'Dark', 'Theme: Dark'],
  ['fr', 'Thème', 'Sombre', 'Thème\u202f: Sombre'],
  ['zh', '主题', '深色', '主题：深色'],
  ['ar-u-nu-latn', 'السمة', 'داكنة', 'السمة: داكنة'],
])('a label and its value have the colon of the language %s', (locale, label, value, text) => {
  expect(labelled(label, locale, value)).toBe(text)
})
