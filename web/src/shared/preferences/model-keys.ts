import { privatePrefix } from '../session/index.ts'

/** Where this browser keeps the models that were picked in it, which come before the account's defaults. */
export const modelKeys = { text: `${privatePrefix}model`, image: `${privatePrefix}image-model` } as const
