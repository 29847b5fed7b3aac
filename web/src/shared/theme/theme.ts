import type { ThemeColors } from '@parley/contracts'
import { create } from 'zustand'
import { parseStored, readLocal, writeLocal } from '../session/index.ts'
import { type DrawnTheme, drawnThemes, parseColors, propertiesOf } from './colors.ts'

/** The available themes; `system` follows the device. */
export const themeNames = ['delgdark', 'delglight', 'system'] as const
export type ThemeName = (typeof themeNames)[number]

/** The stored choice; anything else means the default, `delgdark`. */
export const parseTheme = (raw: string | null): ThemeName => themeNames.find((name) => name === raw) ?? 'delgdark'

/** The drawn theme of a choice. */
export const resolveTheme = (name: ThemeName, prefersLight: boolean): DrawnTheme =>
  name === 'system' ? (prefersLight ? 'delglight' : 'delgdark') : name

const lightQuery = '(prefers-color-scheme: light)'
const nameKey = 'theme'
const colorsKey = 'theme-colors'

interface Theme {
  readonly name: ThemeName
  /** Custom colours; null for the theme's own. */
  readonly colors: ThemeColors | null
}

/** Parses stored colours; null when absent or damaged. */
function parseStoredColors(raw: string | null): ThemeColors | null {
  const value = parseStored(raw)
  return typeof value === 'object' && value !== null && 'picked' in value ? parseColors(value.picked) : null
}

const readTheme = (): Theme => ({
  name: parseTheme(readLocal(nameKey)),
  colors: parseStoredColors(readLocal(colorsKey)),
})

/** The appearance of this browser. */
export const useTheme = create<Theme>(readTheme)

function drawName(name: ThemeName): void {
  document.documentElement.dataset.theme = resolveTheme(name, matchMedia(lightQuery).matches)
}

const drawnOf = (colors: ThemeColors) =>
  Object.fromEntries(drawnThemes.map((theme) => [theme, propertiesOf(colors, theme)])) as Record<
    DrawnTheme,
    Record<string, string>
  >

/** Writes colours into the style sheet created by `public/theme.js`: the CSP forbids style attributes. */
function drawColors(colors: ThemeColors | null): void {
  const [sheet] = document.adoptedStyleSheets ?? []
  if (!sheet) return
  const drawn = colors && drawnOf(colors)
  const blocks = drawnThemes.map((theme) => {
    const properties = Object.entries(drawn?.[theme] ?? {}).map(([name, value]) => `${name}:${value};`)
    return `[data-theme="${theme}"][data-theme] {${properties.join('')}}`
  })
  sheet.replaceSync(blocks.join('\n'))
}

/** Chooses a theme, applies it and stores it in this browser. */
export function setTheme(name: ThemeName): void {
  writeLocal(nameKey, name)
  useTheme.setState({ name })
  drawName(name)
}

/** Applies colours without storing them, while they are being picked; `null` means the theme's own. */
export const previewColors = (colors: ThemeColors | null): void => drawColors(colors)

/** Chooses colours for both themes, applies them, and stores them in computed form, too, so that the next load shows them immediately. */
export function setColors(colors: ThemeColors | null): void {
  writeLocal(colorsKey, colors && JSON.stringify({ picked: colors, drawn: drawnOf(colors) }))
  useTheme.setState({ colors })
  drawColors(colors)
}

/** A stored look; null where nothing was chosen. */
export interface StoredLook {
  readonly theme: string | null
  readonly colors: string | null
}

/** The look chosen in this browser. */
export const storedLook = (): StoredLook => ({ theme: readLocal(nameKey), colors: readLocal(colorsKey) })

/** Applies a saved look and stores it again. */
export function restoreLook({ theme, colors }: StoredLook): void {
  writeLocal(nameKey, theme)
  writeLocal(colorsKey, colors)
  drawStored()
}

function drawStored(): void {
  const theme = readTheme()
  useTheme.setState(theme)
  drawName(theme.name)
  drawColors(theme.colors)
}

/** Follows the device and other tabs. Returns a function that stops. */
export function followTheme(): () => void {
  const media = matchMedia(lightQuery)
  const onMedia = () => drawName(useTheme.getState().name)
  const onStorage = (event: StorageEvent) => {
    if (event.key !== nameKey && event.key !== colorsKey && event.key !== null) return
    drawStored()
  }
  // A previous version may have derived them differently.
  drawColors(useTheme.getState().colors)
  media.addEventListener('change', onMedia)
  window.addEventListener('storage', onStorage)
  return () => {
    media.removeEventListener('change', onMedia)
    window.removeEventListener('storage', onStorage)
  }
}
