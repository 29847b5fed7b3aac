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

/** Milliseconds after an account was made in which a sign-in counts as its first. */
const newForMs = 3_600_000

/** What happens to the theme when the account's changes: the account takes over the browser's, or the browser the account's. */
export type ThemeMove = 'to-account' | 'to-browser' | 'none'

const colorsOf = (user: StoredUser): ThemeColors | null => parseColors(user.preferences.colors)
const lookOf = (user: StoredUser): string => JSON.stringify([user.preferences.theme, colorsOf(user)])

const isNew = ({ createdAt, lastLoginAt }: StoredUser): boolean =>
  lastLoginAt === null || Date.parse(lastLoginAt) - Date.parse(createdAt) < newForMs

/**
 * Decides by who was here before and who is now. What an account chose comes along to every browser; who has only just registered, and
 * so chose nothing there, keeps what this browser was set to as a visitor.
 * @param chosen whether this browser was ever set to a theme or to colours
 */
export function decideThemeMove(before: StoredUser | null, now: StoredUser | null, chosen: boolean): ThemeMove {
  if (!now) return 'none'
  if (before?._id === now._id) return lookOf(before) === lookOf(now) ? 'none' : 'to-browser'
  const untouched = now.preferences.theme === 'delgdark' && colorsOf(now) === null
  return untouched && isNew(now) ? (chosen ? 'to-account' : 'none') : 'to-browser'
}

/** Where the look waits that this browser had before somebody signed in. */
const visitorKey = 'theme-visitor'

const isText = (value: unknown): value is string | null => value === null || typeof value === 'string'

/** A look that was set aside, or null when the text is none. */
export function parseLook(raw: string | null): StoredLook | null {
  const value = parseStored(raw)
  if (typeof value !== 'object' || value === null) return null
  const { theme, colors } = value as Partial<StoredLook>
  return isText(theme) && isText(colors) ? { theme, colors } : null
}

/** Sets the visitor's look aside while an account is here. Another tab may have done so before, and drawn the account's. */
function setAside(): void {
  if (parseLook(readLocal(visitorKey)) === null) writeLocal(visitorKey, JSON.stringify(storedLook()))
}

/** Gives the browser the look back that it had: an account's is nothing for those who come after. */
function takeBack(): void {
  const look = parseLook(readLocal(visitorKey))
  if (look === null) return
  restoreLook(look)
  writeLocal(visitorKey, null)
}

/** Keeps this browser's theme and the account's together, as long as it is signed in. Answers a function that ends it. */
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
      // Not kept this time, it stays the browser's.
      void savePreferences({ theme: name, colors }).catch(() => undefined)
    }
  })

const keep = async (changes: Parameters<typeof savePreferences>[0]): Promise<void> => {
  if (getSession().user) await savePreferences(changes)
}

/** Chooses a theme here, and for the account of who is signed in. Throws ApiError when the account could not be told; it is drawn anyway. */
export function chooseTheme(name: ThemeName): Promise<void> {
  setTheme(name)
  return keep({ theme: name })
}

/** Chooses colours, null for the themes' own, as `chooseTheme` does. */
export function chooseColors(colors: ThemeColors | null): Promise<void> {
  setColors(colors)
  return keep({ colors })
}
