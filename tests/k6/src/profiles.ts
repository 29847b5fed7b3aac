import type { ProfileName } from './prepared.ts'

/** A ramp to a number of virtual users: its duration and its target. */
export interface Stage {
  readonly duration: string
  readonly target: number
}

const hold = (duration: string, target: number): Stage[] => [
  { duration: '1s', target },
  { duration, target },
]

const end: Stage = { duration: '30s', target: 0 }

/** The ramps of each profile, for a given peak. */
export const profiles: Readonly<Record<ProfileName, (peak: number) => readonly Stage[]>> = {
  /** Does everything work at all? */
  smoke: () => hold('15s', 2),
  /** Is the expected load of a usual day served? */
  load: (peak) => [{ duration: '1m', target: peak }, { duration: '5m', target: peak }, end],
  /** At which load does the system fall behind? */
  stress: (peak) => [
    ...[0.5, 1, 2, 4].flatMap((factor) => [
      { duration: '30s', target: Math.ceil(peak * factor) },
      { duration: '2m', target: Math.ceil(peak * factor) },
    ]),
    end,
  ],
  /** Does anything grow without bound? */
  soak: (peak) => [{ duration: '2m', target: peak }, { duration: '4h', target: peak }, end],
  /** Does the system serve a sudden crowd, and recover afterwards? */
  spike: (peak) => [
    ...hold('30s', Math.ceil(peak / 10)),
    { duration: '5s', target: peak * 4 },
    { duration: '1m', target: peak * 4 },
    { duration: '5s', target: Math.ceil(peak / 10) },
    { duration: '1m', target: Math.ceil(peak / 10) },
    end,
  ],
  /** One level of how many are served at once. */
  capacity: (peak) => [
    { duration: `${Math.ceil(peak / 20)}s`, target: peak },
    { duration: '1m', target: peak },
  ],
}
