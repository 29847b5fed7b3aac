import { create } from 'zustand'
import { readLocal, writeLocal } from '../session/index.ts'

/** The themes on offer; `system` follows the device. */
export const themeNames = ['delgdark', 'delglight', 'system'] as const
export type ThemeName = (typeof themeNames)[number]

/** The stored choice; anything else is the default, `delgdark`. */
export const parseTheme = (raw: string | null): ThemeName => themeNames.find((name) => name === raw) ?? 'delgdark'

/** The theme to draw for a choice. */
export const resolveTheme = (name: ThemeName, prefersLight: boolean): 'delgdark' | 'delglight' =>
  name === 'system' ? (prefersLight ? 'delglight' : 'delgdark') : name

const lightQuery = '(prefers-color-scheme: light)'

function draw(name: ThemeName): void {
  document.documentElement.dataset.theme = resolveTheme(name, matchMedia(lightQuery).matches)
}

/** The chosen theme of this browser. */
export const useTheme = create<{ name: ThemeName }>(() => ({ name: parseTheme(readLocal('theme')) }))

/** Chooses a theme, draws it and remembers it. */
export function setTheme(name: ThemeName): void {
  writeLocal('theme', name)
  useTheme.setState({ name })
  draw(name)
}

/** Follows the device and other tabs. Answers a function that ends it. */
export function followTheme(): () => void {
  const media = matchMedia(lightQuery)
  const onMedia = () => draw(useTheme.getState().name)
  const onStorage = (event: StorageEvent) => {
    if (event.key !== 'theme' && event.key !== null) return
    useTheme.setState({ name: parseTheme(readLocal('theme')) })
    onMedia()
  }
  media.addEventListener('change', onMedia)
  window.addEventListener('storage', onStorage)
  return () => {
    media.removeEventListener('change', onMedia)
    window.removeEventListener('storage', onStorage)
  }
}
