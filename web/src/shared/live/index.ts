export { LiveProvider, useLive, useLiveState, useServerEvent } from './live-provider.tsx'
export { LiveStatus } from './live-status.tsx'
export { onBrowserWake } from './wake.ts'
