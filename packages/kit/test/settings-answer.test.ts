import { defaultSettings, settingsAnswerSchema } from '@parley/contracts'
import { expect, it } from 'vitest'

const settings = { ...defaultSettings, registrationEnabled: true }

it('settings of a newer version are read without their unknown fields', () => {
  expect(settingsAnswerSchema.parse({ ...settings, later: { bound: 1 } })).toEqual(settings)
})

it('settings of a version without storage limits are read with the default limits', () => {
  const { storage, ...older } = settings
  expect(settingsAnswerSchema.parse(older)).toEqual({ ...older, storage })
})
