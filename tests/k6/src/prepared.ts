/** What a scenario is handed by the program that starts it, as JSON. */
export interface Prepared {
  /** Where people reach Parley, without a slash at its end. */
  readonly url: string
  /** Registered for this run, with credits for all of it. */
  readonly users: readonly PreparedUser[]
  readonly admin: PreparedUser
  /** Virtual users at the profile's peak. */
  readonly peak: number
  readonly profile: ProfileName
}
export interface PreparedUser {
  readonly username: string
  readonly password: string
  /** Of a session that has just begun. */
  readonly token: string
  /** An API key; empty where a scenario uses none. */
  readonly key: string
}

export const scenarioNames = ['guest', 'login', 'chat', 'sockets', 'api', 'admin'] as const
export const profileNames = ['smoke', 'load', 'stress', 'soak', 'spike'] as const
export type ProfileName = (typeof profileNames)[number]
