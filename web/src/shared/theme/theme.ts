import type { ThemeColors } from '@parley/contracts'
import { create } from 'zustand'
import { parseStored, readLocal, writeLocal } from '../session/index.ts'
import { type DrawnTheme, drawnThemes, parseColors, propertiesOf } from './colors.ts'

/** The themes on offer; `system` follows the device. */
export const themeNames = ['delgdark', 'delglight', 'system'] as const
export type ThemeName = (typeof themeNames)[number]

/** The stored choice; anything else is the default, `delgdark`. */
export const parseTheme = (raw: string | null): ThemeName => themeNames.find((name) => name === raw) ?? 'delgdark'

/** The theme to draw for a choice. */
export const resolveTheme = (name: ThemeName, prefersLight: boolean): DrawnTheme =>
  name === 'system' ? (prefersLight ? 'delglight' : 'delgdark') : name

const lightQuery = '(prefers-color-scheme: light)'
const nameKey = 'theme'
const colorsKey = 'theme-colors'

interface Theme {
  readonly name: ThemeName
  /** Colours in place of the theme's own; null leaves those. */
  readonly colors: ThemeColors | null
}

/** The colours of a stored text; null for none and for anything damaged. */
export function parseStoredColors(raw: string | null): ThemeColors | null {
  const value = parseStored(raw)
  return typeof value === 'object' && value !== null && 'picked' in value ? parseColors(value.picked) : null
}

const readTheme = (): Theme => ({
  name: parseTheme(readLocal(nameKey)),
  colors: parseStoredColors(readLocal(colorsKey)),
})

/** How this browser is drawn. */
export const useTheme = create<Theme>(readTheme)

function drawName(name: ThemeName): void {
  document.documentElement.dataset.theme = resolveTheme(name, matchMedia(lightQuery).matches)
}

const drawnOf = (colors: ThemeColors) =>
  Object.fromEntries(drawnThemes.map((theme) => [theme, propertiesOf(colors, theme)])) as Record<
    DrawnTheme,
    Record<string, string>
  >

/** Draws the colours into the sheet that `public/theme.js` began: styles in attributes would be against the content policy. */
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

/** Chooses a theme, draws it and remembers it in this browser. */
export function setTheme(name: ThemeName): void {
  writeLocal(nameKey, name)
  useTheme.setState({ name })
  drawName(name)
}

/** Draws colours without remembering them, while they are being picked; `null` draws the theme's own. */
export const previewColors = (colors: ThemeColors | null): void => drawColors(colors)

/** Chooses colours for both themes, draws them and remembers them in this browser, as they are drawn too: the next load shows them at once. */
export function setColors(colors: ThemeColors | null): void {
  writeLocal(colorsKey, colors && JSON.stringify({ picked: colors, drawn: drawnOf(colors) }))
  useTheme.setState({ colors })
  drawColors(colors)
}

/** A look as it is stored; null where nothing was chosen. */
export interface StoredLook {
  readonly theme: string | null
  readonly colors: string | null
}

/** What this browser was set to. */
export const storedLook = (): StoredLook => ({ theme: readLocal(nameKey), colors: readLocal(colorsKey) })

/** Draws a look that was stored before, and remembers it as it was. */
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

/** Follows the device and other tabs. Answers a function that ends it. */
export function followTheme(): () => void {
  const media = matchMedia(lightQuery)
  const onMedia = () => drawName(useTheme.getState().name)
  const onStorage = (event: StorageEvent) => {
    if (event.key !== nameKey && event.key !== colorsKey && event.key !== null) return
    drawStored()
  }
  // The version before this one may have derived them otherwise.
  drawColors(useTheme.getState().colors)
  media.addEventListener('change', onMedia)
  window.addEventListener('storage', onStorage)
  return () => {
    media.removeEventListener('change', onMedia)
    window.removeEventListener('storage', onStorage)
  }
}
