import { create } from 'zustand'
import { readLocal, writeLocal } from '../session/index.ts'

/** What stays in view while an answer grows: its question at the top, or its end. */
const followNames = ['question', 'end'] as const
/** Text sizes from small to large; `public/theme.js` applies the stored one before the first paint. */
export const textSizes = ['small', 'normal', 'large', 'larger'] as const

/** Reading preferences, stored per browser rather than on the account because screens differ. */
export interface Reading {
  readonly follow: (typeof followNames)[number]
  readonly textSize: (typeof textSizes)[number]
  /** Suggestions after an answer are requested. */
  readonly followUps: boolean
}

const keys = { follow: 'reading-follow', textSize: 'text-size', followUps: 'follow-ups' } as const

const read = (): Reading => ({
  follow: followNames.find((name) => name === readLocal(keys.follow)) ?? 'question',
  textSize: textSizes.find((name) => name === readLocal(keys.textSize)) ?? 'normal',
  followUps: readLocal(keys.followUps) !== 'off',
})

/** The reading preferences, synchronised across tabs; invalid stored values count as the default. */
export const useReading = create<Reading>(read)

globalThis.addEventListener?.('storage', ({ key }) => {
  if (key !== null && !Object.values<string>(keys).includes(key)) return
  useReading.setState(read())
  document.documentElement.dataset.textSize = useReading.getState().textSize
})

export function chooseFollow(follow: Reading['follow']): void {
  writeLocal(keys.follow, follow)
  useReading.setState({ follow })
}

export function chooseFollowUps(followUps: boolean): void {
  writeLocal(keys.followUps, followUps ? null : 'off')
  useReading.setState({ followUps })
}

/** Sets and applies a text size. */
export function chooseTextSize(textSize: Reading['textSize']): void {
  writeLocal(keys.textSize, textSize)
  document.documentElement.dataset.textSize = textSize
  useReading.setState({ textSize })
}
