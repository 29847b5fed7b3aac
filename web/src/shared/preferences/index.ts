export { modelKeys } from './model-keys.ts'
export { savePreferences } from './save-preferences.ts'
