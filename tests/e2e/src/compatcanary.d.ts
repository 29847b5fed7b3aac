/** The used part of the package, which ships no types. */
declare module 'compatcanary' {
  export function scanEndpoint(options: {
    readonly baseUrl: string
    readonly model: string
    readonly apiKey: string
    readonly profile: string
  }): Promise<{
    /** Per cent. */
    readonly score: number
    readonly results: readonly { readonly id: string; readonly status: 'pass' | 'warn' | 'fail' }[]
  }>
}
