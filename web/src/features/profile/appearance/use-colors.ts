import type { ThemeColors } from '@parley/contracts'
import { useEffect, useRef, useState } from 'react'
import { type ColorName, ownColors } from '../../../shared/theme/colors.ts'
import { chooseColors } from '../../../shared/theme/synced-theme.ts'
import { previewColors, resolveTheme, useTheme } from '../../../shared/theme/theme.ts'

/** Debounce delay of saving colours in milliseconds, because a picker changes them many times a second. */
const settleMs = 400

/** The current colours: applied on every change, and saved through `save` after the debounce delay or on leaving the page. */
export function useColors(save: (work: Promise<void>) => void) {
  const kept = useTheme((state) => state.colors)
  const theme = useTheme((state) => state.name)
  const [draft, setDraft] = useState<ThemeColors | null | undefined>(undefined)
  const timer = useRef<number | undefined>(undefined)
  const latest = useRef<() => void>(() => undefined)
  latest.current = () => {
    window.clearTimeout(timer.current)
    if (draft === undefined) return
    setDraft(undefined)
    save(chooseColors(draft))
  }
  useEffect(() => () => latest.current(), [])
  const change = (colors: ThemeColors | null) => {
    setDraft(colors)
    previewColors(colors)
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => latest.current(), settleMs)
  }
  const picked = draft === undefined ? kept : draft
  const drawn = resolveTheme(theme, matchMedia('(prefers-color-scheme: light)').matches)
  /** The fields' values: the theme's own colours if none were picked. */
  const shown = picked ?? ownColors[drawn]
  return { picked, shown, change, set: (name: ColorName, color: string) => change({ ...shown, [name]: color }) }
}
