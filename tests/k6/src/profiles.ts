import type { ProfileName } from './prepared.ts'

/** A way to the next number of virtual users: how long it takes, and the number at its end. */
export interface Stage {
  readonly duration: string
  readonly target: number
}

const hold = (duration: string, target: number): Stage[] => [
  { duration: '1s', target },
  { duration, target },
]

const end: Stage = { duration: '30s', target: 0 }

/** The numbers of virtual users over time, for a peak of so many. */
export const profiles: Readonly<Record<ProfileName, (peak: number) => readonly Stage[]>> = {
  /** Does everything work at all? */
  smoke: () => hold('15s', 2),
  /** What is expected on a usual day. */
  load: (peak) => [{ duration: '1m', target: peak }, { duration: '5m', target: peak }, end],
  /** Where does it stop to keep up? */
  stress: (peak) => [
    ...[0.5, 1, 2, 4].flatMap((factor) => [
      { duration: '30s', target: Math.ceil(peak * factor) },
      { duration: '2m', target: Math.ceil(peak * factor) },
    ]),
    end,
  ],
  /** Does anything grow without an end? */
  soak: (peak) => [{ duration: '2m', target: peak }, { duration: '4h', target: peak }, end],
  /** Is a crowd that comes at once served, and forgotten afterwards? */
  spike: (peak) => [
    ...hold('30s', Math.ceil(peak / 10)),
    { duration: '5s', target: peak * 4 },
    { duration: '1m', target: peak * 4 },
    { duration: '5s', target: Math.ceil(peak / 10) },
    { duration: '1m', target: Math.ceil(peak / 10) },
    end,
  ],
}
