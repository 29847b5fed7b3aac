import { create } from 'zustand'
import { readLocal, writeLocal } from '../session/index.ts'

/** What stays in view while an answer grows: its question at the top, or its end. */
export const followNames = ['question', 'end'] as const
/** The sizes of text, from small to large; `public/theme.js` draws the stored one before the first paint. */
export const textSizes = ['small', 'normal', 'large', 'larger'] as const

/** How this browser shows chats: a screen's own matter, so that it is not kept on the account. */
export interface Reading {
  readonly follow: (typeof followNames)[number]
  readonly textSize: (typeof textSizes)[number]
  /** Suggestions after an answer are asked for. */
  readonly followUps: boolean
}

const keys = { follow: 'reading-follow', textSize: 'text-size', followUps: 'follow-ups' } as const

/** The chosen ways of reading; what was stored and is none counts as the default. */
export const useReading = create<Reading>(() => ({
  follow: followNames.find((name) => name === readLocal(keys.follow)) ?? 'question',
  textSize: textSizes.find((name) => name === readLocal(keys.textSize)) ?? 'normal',
  followUps: readLocal(keys.followUps) !== 'off',
}))

/** Chooses what stays in view. */
export function chooseFollow(follow: Reading['follow']): void {
  writeLocal(keys.follow, follow)
  useReading.setState({ follow })
}

/** Chooses whether suggestions are asked for. */
export function chooseFollowUps(followUps: boolean): void {
  writeLocal(keys.followUps, followUps ? null : 'off')
  useReading.setState({ followUps })
}

/** Chooses and draws a size of text. */
export function chooseTextSize(textSize: Reading['textSize']): void {
  writeLocal(keys.textSize, textSize)
  document.documentElement.dataset.textSize = textSize
  useReading.setState({ textSize })
}
