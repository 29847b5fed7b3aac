/** A scenario's input from the program that starts it, as JSON. */
export interface Prepared {
  /** Public URL of Parley, without a trailing slash. */
  readonly url: string
  /** Registered for this run, with enough credits for it. */
  readonly users: readonly PreparedUser[]
  readonly admin: PreparedUser
  /** Virtual users at the profile's peak. */
  readonly peak: number
  readonly profile: ProfileName
}
export interface PreparedUser {
  readonly username: string
  readonly password: string
  /** Access token of a new session. */
  readonly token: string
  /** An API key; empty if the scenario uses none. */
  readonly key: string
}

export const scenarioNames = ['guest', 'login', 'chat', 'sockets', 'api', 'admin'] as const
export const profileNames = ['smoke', 'load', 'stress', 'soak', 'spike', 'capacity'] as const
export type ProfileName = (typeof profileNames)[number]
