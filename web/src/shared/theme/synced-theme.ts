import type { ThemeColors } from '@parley/contracts'
import { savePreferences } from '../preferences/index.ts'
import { getSession, parseStored, readLocal, type StoredUser, useSession, writeLocal } from '../session/index.ts'
import { parseColors } from './colors.ts'
import {
  parseTheme,
  restoreLook,
  type StoredLook,
  setColors,
  setTheme,
  storedLook,
  type ThemeName,
  useTheme,
} from './theme.ts'

/** Milliseconds after registration in which a sign-in counts as the first one. */
const newForMs = 3_600_000

/** The effect of an account change on the theme: the account adopts the browser's, or the browser the account's. */
export type ThemeMove = 'to-account' | 'to-browser' | 'none'

const colorsOf = (user: StoredUser): ThemeColors | null => parseColors(user.preferences.colors)
const lookOf = (user: StoredUser): string => JSON.stringify([user.preferences.theme, colorsOf(user)])

const isNew = ({ createdAt, lastLoginAt }: StoredUser): boolean =>
  lastLoginAt === null || Date.parse(lastLoginAt) - Date.parse(createdAt) < newForMs

/**
 * Decides from the user before and after. An account's choice applies in every browser; a newly registered user, who has chosen
 * nothing on the account yet, keeps what they chose in this browser as a visitor.
 * @param chosen whether a theme or colours were ever chosen in this browser
 */
export function decideThemeMove(before: StoredUser | null, now: StoredUser | null, chosen: boolean): ThemeMove {
  if (!now) return 'none'
  if (before?._id === now._id) return lookOf(before) === lookOf(now) ? 'none' : 'to-browser'
  const untouched = now.preferences.theme === 'delgdark' && colorsOf(now) === null
  return untouched && isNew(now) ? (chosen ? 'to-account' : 'none') : 'to-browser'
}

/** Storage key of the browser's look before sign-in. */
const visitorKey = 'theme-visitor'

const isText = (value: unknown): value is string | null => value === null || typeof value === 'string'

/** Parses a saved look; null when invalid. */
export function parseLook(raw: string | null): StoredLook | null {
  const value = parseStored(raw)
  if (typeof value !== 'object' || value === null) return null
  const { theme, colors } = value as Partial<StoredLook>
  return isText(theme) && isText(colors) ? { theme, colors } : null
}

/** Saves the visitor's look while a user is signed in, unless another tab has already done so and applied the account's. */
function setAside(): void {
  if (parseLook(readLocal(visitorKey)) === null) writeLocal(visitorKey, JSON.stringify(storedLook()))
}

/** Restores the browser's look: an account's choice must not affect later visitors. */
function takeBack(): void {
  const look = parseLook(readLocal(visitorKey))
  if (look === null) return
  restoreLook(look)
  writeLocal(visitorKey, null)
}

/** Syncs the theme with the account while signed in. Returns a function that stops. */
export const followAccountTheme = (): (() => void) =>
  useSession.subscribe(({ user }, { user: before }) => {
    if (user === before) return
    if (before !== null && before._id !== user?._id) takeBack()
    if (!user) return
    if (before?._id !== user._id) setAside()
    const chosen = readLocal('theme') !== null || useTheme.getState().colors !== null
    const move = decideThemeMove(before, user, chosen)
    if (move === 'to-browser') {
      setTheme(parseTheme(user.preferences.theme))
      setColors(colorsOf(user))
    }
    if (move === 'to-account') {
      const { name, colors } = useTheme.getState()
      // If saving fails, the choice stays in this browser.
      void savePreferences({ theme: name, colors }).catch(() => undefined)
    }
  })

const keep = async (changes: Parameters<typeof savePreferences>[0]): Promise<void> => {
  if (getSession().user) await savePreferences(changes)
}

/** Chooses a theme here and on the signed-in account. Throws ApiError when saving fails; it is applied anyway. */
export function chooseTheme(name: ThemeName): Promise<void> {
  setTheme(name)
  return keep({ theme: name })
}

/** Chooses colours like `chooseTheme`; null means the themes' own. */
export function chooseColors(colors: ThemeColors | null): Promise<void> {
  setColors(colors)
  return keep({ colors })
}
