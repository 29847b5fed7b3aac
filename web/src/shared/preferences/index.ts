export { modelKeys } from './model-keys.ts'
export { chooseFollow, chooseFollowUps, chooseTextSize, textSizes, useReading } from './reading.ts'
export { savePreferences } from './save-preferences.ts'
