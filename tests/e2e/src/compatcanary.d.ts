/** What is used of the package, which has no types of its own. */
declare module 'compatcanary' {
  export function scanEndpoint(options: {
    readonly baseUrl: string
    readonly model: string
    readonly apiKey: string
    readonly profile: string
  }): Promise<{
    /** Percent. */
    readonly score: number
    readonly results: readonly { readonly id: string; readonly status: 'pass' | 'warn' | 'fail' }[]
  }>
}
