import { privatePrefix } from '../session/index.ts'

/** Storage keys of the models chosen in this browser, which override the account's defaults. */
export const modelKeys = { text: `${privatePrefix}model`, image: `${privatePrefix}image-model` } as const
