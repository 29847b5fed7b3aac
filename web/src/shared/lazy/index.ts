export { afterFirstScreen, FirstScreen, observeFirstContent, useFirstScreen } from './first-screen.ts'
export { earlyPart, type LazyPart, lazyPart, lazyScreen, prepareParts, renewFailedScreens } from './lazy-part.ts'
export { retryImport } from './retry-import.ts'
export { whenIdle } from './when-idle.ts'
